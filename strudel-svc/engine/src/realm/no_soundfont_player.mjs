// Stands in for `sfumato`, which plays soundfonts in a browser. Nothing is played in the worker.
export const loadSoundfont = undefined;
export const startPresetNote = undefined;
