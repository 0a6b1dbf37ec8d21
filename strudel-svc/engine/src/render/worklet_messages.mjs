// Some worklets get their program by a message, as bytebeat and Kabelsalat. Rendering has to wait until it is read.
const ROUND_TRIPS = 2; // the port of a new worklet is opened by a message itself
let isUnread = false;

export function watchMessages() {
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (...values) {
    isUnread = true;
    return postMessage.apply(this, values);
  };
}

/** Wait until the worklets have read all messages so far. `echo` sends a message there and back. */
export async function messagesRead(echo) {
  if (!isUnread) return;
  for (let trip = 0; trip < ROUND_TRIPS; trip += 1) await echo();
  isUnread = false;
}
