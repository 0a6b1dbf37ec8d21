import * as xen from '@strudel/xen';

globalThis.consortTunings = xen;
