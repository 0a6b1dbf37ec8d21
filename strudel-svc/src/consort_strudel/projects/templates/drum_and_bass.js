// A fast break, a deep bass line, and wide pads at half the speed
setcpm(TEMPO/BEATS)

// Drums
kick: s("bd ~ ~ ~ ~ bd ~ ~").gain(.52)
snare: s("~ sd ~ sd").gain(.44).room(.15)
ghosts: s("~ ~ ~ sd ~ ~ sd ~").late(1/16).gain(.11)
hats: s("hh*8").gain("[.28 .17]*4").sometimes(ply("2"))

// Bass
bass: n("<[0 ~ ~ 0 ~ ~ 2 ~] [-2 ~ ~ -2 ~ ~ 0 -1]>")
  .scale("TONIC1:MODE").s("sawtooth")
  .lpf("<400 700>").lpq(4).release(.1).gain(.44)

// Pads
pads: n("<[0,2,4,6] [-2,0,2,4]>").slow(2)
  .scale("TONIC4:MODE").s("triangle")
  .attack(.5).release(1).room(.7).gain(.17)
