// When each cycle is played: the control `cps` changes the tempo from its event on.

const isTempo = (cps) => typeof cps === 'number' && cps > 0 && Number.isFinite(cps);

/** Whether an event only changes the tempo: it has no sound or note. */
export const onlySetsTempo = ({ value }) => isTempo(value.cps) && value.s === undefined && value.note === undefined;

export class TempoMap {
  /** `events` are in order. `cps` is the tempo of the script, `begin` the cycle that is played at 0 seconds. */
  constructor(events, cps, begin) {
    this.parts = [{ cycle: begin, seconds: 0, cps }];
    for (const { whole, value } of events) {
      if (!isTempo(value.cps) || value.cps === this.parts.at(-1).cps) continue;
      const cycle = whole.begin.valueOf();
      this.parts.push({ cycle, seconds: this.seconds(cycle), cps: value.cps });
    }
  }

  cps(cycle) {
    return this.#part(cycle).cps;
  }

  seconds(cycle) {
    const part = this.#part(cycle);
    return part.seconds + (cycle - part.cycle) / part.cps;
  }

  #part(cycle) {
    return this.parts.findLast((part) => part.cycle <= cycle) ?? this.parts[0];
  }
}
