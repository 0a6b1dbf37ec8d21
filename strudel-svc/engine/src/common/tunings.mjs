// Scripts that need the tables of @strudel/xen, which are loaded only for them, because they are large.
// Consort's renderer has the same expression (consort_strudel/rendering/renderer.py).
const NAMES = /\b(xen|tune|tuning|withBase|ftrans|fadd|edo)\b/;

export const usesTunings = (script) => NAMES.test(script);
