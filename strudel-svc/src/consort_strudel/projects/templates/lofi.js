// Lo-fi: a lazy beat with swing, seventh chords and a sparse melody
setcpm(TEMPO/BEATS)

// Drums
kick: s("bd ~ [~ bd] ~").gain(.58).lpf(2000)
snare: s("~ sd ~ sd").gain(.36).lpf(3500).room(.2)
hats: s("hh*8").swingBy(1/3, 4).gain("[.29 .18]*4")

// Chords
keys: n("<[0,2,4,6] [3,5,7,9] [-1,1,3,5] [2,4,6,8]>")
  .scale("TONIC4:MODE").s("gm_epiano1")
  .attack(.02).release(.4).lpf(1800).room(.3).gain(.36)

// Bass
bass: n("<[0 ~ ~ 4] [3 ~ ~ 0] [-1 ~ ~ 3] [2 ~ ~ -1]>")
  .scale("TONIC2:MODE").s("triangle").lpf(600).gain(.5)

// Melody
melody: n("<[~ 4 6 7] [~ ~ 9 7] [6 ~ 4 ~] ~>")
  .scale("TONIC5:MODE").s("gm_vibraphone")
  .delay(.25).room(.4).gain(.29)
