// What a payer means to do is sent with one key however often it has to be sent, so that it is done once.

import { NoAnswer, Refusal, run, say } from './page.js';

/** Pauses before an operation is sent again that was not answered. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000];

/** How long an operation is asked about that is still being carried out, and the pause in between. */
const underWay = { waitMs: 90_000, pauseMs: 2_000 };

/** How often it is asked again while a charge is under way: that of the step, whose outcome is then answered, or another one. */
const chargeAsks = 3;

/** How long the service keeps a key, less an hour. */
const keptMs = 23 * 3_600_000;

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A new key: 32 hexadecimal digits. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Keys where the browser keeps nothing for the page. @type {Map<string, string>} */
const memory = new Map();

/** What the browser keeps for the page; null when it keeps nothing. */
function kept() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** @param {string} slot */
const readKey = (slot) => memory.get(slot) ?? kept()?.getItem(slot) ?? '';

/** @param {string} slot @param {string} text */
function keepKey(slot, text) {
  memory.set(slot, text);
  kept()?.setItem(slot, text);
}

/** @param {string} slot */
function dropKey(slot) {
  memory.delete(slot);
  kept()?.removeItem(slot);
}

/** A short number for a text, so that what a payer typed in is not kept itself. @param {string} text */
function digest(text) {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Where the key of a step is kept: by page, step and what was typed in but for the card. @param {string} action @param {Record<string, unknown>} given */
const slotOf = (action, { card: _card, paymentMethod: _method, ...rest }) =>
  `intention ${location.pathname} ${action} ${digest(JSON.stringify(rest))}`;

/** The key of a step: that of an earlier one of which nobody knows the outcome, else a new one. @param {string} slot */
function keyFor(slot) {
  const [key = '', sentAt = ''] = readKey(slot).split(' ');
  if (key !== '' && Date.now() - Number(sentAt) < keptMs) return { key, isNew: false };
  const made = newKey();
  keepKey(slot, `${made} ${Date.now()}`);
  return { key: made, isNew: true };
}

/** @param {unknown} error @param {string} code */
const isRefusal = (error, code) => error instanceof Refusal && error.code === code;

/** Sends an operation until it is answered. Throws NoAnswer when that takes too long. @param {() => Promise<any>} send */
async function untilAnswered(send) {
  const end = Date.now() + underWay.waitMs;
  for (let [lost, charging] = [0, 0]; ; ) {
    try {
      return await send();
    } catch (error) {
      const isCharging = isRefusal(error, 'charge_in_progress') && charging++ < chargeAsks;
      const isUnderWay = isCharging || isRefusal(error, 'idempotency_in_progress');
      if (!isUnderWay && !(error instanceof NoAnswer)) throw error;
      const waitMs = isUnderWay ? underWay.pauseMs : pausesMs[lost++];
      if (waitMs === undefined || !navigator.onLine || Date.now() > end) throw new NoAnswer();
      say('No answer yet. Asking what became of it …', 'working');
      await pause(waitMs);
    }
  }
}

/**
 * Carries out a mutation once: its key is kept until its outcome is known, also while the page is loaded again, and it is sent again with it when
 * no answer comes. Throws a Refusal for what the service rejects, and NoAnswer while nobody knows the outcome; the same step is then the same
 * still. One that was sent before with another card is the Refusal `idempotency_key_mismatch`, after which it is a new one.
 * @param {string} action @param {string} mutation @param {Record<string, unknown>} given @param {Record<string, string>} headers
 */
export async function once(action, mutation, given, headers = {}) {
  const slot = slotOf(action, given);
  const { key, isNew } = keyFor(slot);
  try {
    const answer = await untilAnswered(() =>
      run(mutation, { input: given }, { ...headers, 'Idempotency-Key': key }),
    );
    dropKey(slot);
    return answer;
  } catch (error) {
    // A charge that is under way may be that of this step: it is asked about once more.
    if (error instanceof Refusal && !(isNew && error.code === 'charge_in_progress')) dropKey(slot);
    throw error;
  }
}
