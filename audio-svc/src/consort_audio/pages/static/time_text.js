/** Return a time as m:ss or h:mm:ss, with this many decimals. */
function timeText(seconds, decimals = 1) {
  const scale = 10 ** decimals;
  const rounded = Math.round(Math.max(0, seconds) * scale) / scale;
  const hours = Math.floor(rounded / 3600);
  const minutes = Math.floor(rounded / 60) % 60;
  const rest = (rounded % 60).toFixed(decimals).padStart(decimals ? decimals + 3 : 2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** Return a time as words for a screen reader: "1 minute 3.5 seconds". */
function spokenTime(seconds) {
  const tenths = Math.round(Math.max(0, seconds) * 10) / 10;
  const minutes = Math.floor(tenths / 60);
  const rest = Number((tenths - minutes * 60).toFixed(1));
  const spoken = `${rest} ${rest === 1 ? "second" : "seconds"}`;
  return minutes ? `${minutes} ${minutes === 1 ? "minute" : "minutes"} ${spoken}` : spoken;
}
