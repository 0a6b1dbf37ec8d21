// Techno: a driving kick, rolling bass and one motif whose filter opens and closes
setcpm(TEMPO/BEATS)

// Drums
kick: s("bd*4").gain(.66).lpf(3000)
hats: s("hh*16").gain("[.14 .24 .34 .24]*4")
clap: s("~ cp ~ cp").gain(.34).room(.3)
rim: s("rim(5,16,2)").gain(.21).pan(.65)

// Bass
bass: n("[~ 0 0 0]*4").scale("TONIC1:MODE").s("sawtooth")
  .lpf(300).decay(.1).sustain(.2).gain(.55)

// Motif
motif: n("<[0 ~ 3 ~ 0 4 ~ 6] [0 ~ 3 ~ 7 4 ~ 2]>").fast(2)
  .scale("TONIC3:MODE").s("sawtooth")
  .lpf(sine.range(300, 2400).slow(16)).lpq(6)
  .decay(.12).sustain(0).delay(.3).gain(.31)
