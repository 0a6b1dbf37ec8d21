// Ambient: slow pads, a drone and single bells, without drums
setcpm(TEMPO/BEATS)

// Drone
drone: n("[0,4]").slow(4).scale("TONIC2:MODE").s("triangle")
  .attack(2).release(4).lpf(sine.range(200, 700).slow(24)).gain(.5)

// Pads
pads: n("<[0,2,4,8] [3,5,7,9] [-2,2,4,6] [1,4,6,8]>").slow(2)
  .scale("TONIC4:MODE").s("sawtooth")
  .attack(1.5).release(3).lpf(900).room(.9).roomsize(8).gain(.25)

// Bells
bells: n("<[7 ~ ~ 9] [~ 11 ~ ~] [~ ~ 14 ~] ~>").degradeBy(.3)
  .scale("TONIC5:MODE").s("sine")
  .decay(1.2).sustain(0).delay(.5).delaytime(.375).delayfeedback(.5)
  .room(.8).gain(.3)
