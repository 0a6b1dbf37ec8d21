// The tunings are a separate script, because they are large. Once it is loaded, scripts get its functions here.
import { evalScope } from '@strudel/core';

export const addTunings = () => evalScope(globalThis.consortTunings);
