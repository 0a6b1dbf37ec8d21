// Chiptune: two square leads, a triangle bass and noise drums, as an old console plays
setcpm(TEMPO/BEATS)

// Lead
lead: n("<[0 2 4 7 4 2 0 ~] [3 5 7 10 7 5 3 ~] [4 6 8 11 8 6 4 ~] [0 4 7 4 0 ~ ~ ~]>")
  .scale("TONIC5:MODE").s("square").decay(.12).sustain(.3).gain(.4)

// Harmony
harmony: n("<[0,2]*8 [3,5]*8 [4,6]*8 [0,4]*8>")
  .scale("TONIC4:MODE").s("square").decay(.06).sustain(0).gain(.25)

// Bass
bass: n("<[0 7]*4 [3 10]*4 [4 11]*4 [0 7]*4>")
  .scale("TONIC2:MODE").s("triangle").decay(.15).sustain(.5).gain(.7)

// Drums
snare: s("~ white ~ white").decay(.12).sustain(0).gain(.35)
hats: s("white*8").decay(.03).sustain(0).hpf(6000).gain(.2)
