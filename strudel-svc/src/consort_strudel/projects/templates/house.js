// House: four on the floor, off-beat hats, chord stabs and a round bass
setcpm(TEMPO/BEATS)

// Drums
kick: s("bd*4").gain(.59)
clap: s("~ cp").fast(2).gain(.39).room(.2)
hats: s("[~ hh]*4").gain(.33)
open: s("~ ~ ~ [~ oh]").gain(.23)

// Bass
bass: n("<[0 ~ 0 4] [-2 ~ -2 2] [3 ~ 3 0] [-1 ~ 4 2]>")
  .scale("TONIC2:MODE").s("sawtooth")
  .lpf(500).decay(.2).sustain(.4).gain(.45)

// Chords
stabs: n("<[0,2,4,6] [-2,0,2,4] [3,5,7] [-1,1,3]>").struct("[~ x]*4")
  .scale("TONIC4:MODE").s("square")
  .lpf(1400).decay(.15).sustain(0).room(.4).gain(.23)
