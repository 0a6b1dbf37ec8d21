// Techno: a driving kick, rolling bass and one motif whose filter opens and closes
setcpm(TEMPO/BEATS)

// Drums
kick: s("bd*4").gain(.95).lpf(3000)
hats: s("hh*16").gain("[.2 .35 .5 .35]*4")
clap: s("~ cp ~ cp").gain(.5).room(.3)
rim: s("rim(5,16,2)").gain(.3).pan(.65)

// Bass
bass: n("[~ 0 0 0]*4").scale("TONIC1:MODE").s("sawtooth")
  .lpf(300).decay(.1).sustain(.2).gain(.8)

// Motif
motif: n("<[0 ~ 3 ~ 0 4 ~ 6] [0 ~ 3 ~ 7 4 ~ 2]>").fast(2)
  .scale("TONIC3:MODE").s("sawtooth")
  .lpf(sine.range(300, 2400).slow(16)).lpq(6)
  .decay(.12).sustain(0).delay(.3).gain(.45)
