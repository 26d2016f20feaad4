import type { Document } from '../../ui/documents.ts';
import { NoAnswer, Rejection, run } from './service.ts';

// A step a payer means to take is sent with one key however often it has to be sent, so that it is taken once.

/** Pauses before an operation is sent again that was not answered. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000];

/** How long an operation is waited for that is still being carried out, and the pause in between. */
const underWay = { waitMs: 90_000, pauseMs: 2_000 };

/** How often a step is sent again while a charge is under way: its own, whose outcome is then answered, or another one. */
const chargeRetries = 3;

/** How long the service keeps a key, less an hour. */
const keptMs = 23 * 3_600_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A new key: 32 hexadecimal digits. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Keys where the browser keeps nothing for the page. */
const memory = new Map<string, string>();

/** What the browser keeps for the page; null when it keeps nothing. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

const readKey = (slot: string): string => memory.get(slot) ?? storage()?.getItem(slot) ?? '';

function keepKey(slot: string, text: string): void {
  memory.set(slot, text);
  storage()?.setItem(slot, text);
}

function dropKey(slot: string): void {
  memory.delete(slot);
  storage()?.removeItem(slot);
}

/** A short number for a text, so that what a payer typed is not kept itself. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Where the key of a step is kept: by page, step and what was typed in but for the card. */
function slotOf(
  action: string,
  { card: _card, paymentMethod: _method, savedMethod: _saved, ...rest }: Record<string, unknown>,
) {
  return `intention ${location.pathname} ${action} ${digest(JSON.stringify(rest))}`;
}

/** The key of a step: that of an earlier one whose outcome nobody knows, else a new one. */
function keyFor(slot: string): { key: string; isNew: boolean } {
  const [key = '', sentAt = ''] = readKey(slot).split(' ');
  if (key !== '' && Date.now() - Number(sentAt) < keptMs) return { key, isNew: false };
  const made = newKey();
  keepKey(slot, `${made} ${Date.now()}`);
  return { key: made, isNew: true };
}

const isRejection = (error: unknown, code: string): boolean =>
  error instanceof Rejection && error.code === code;

/** Sends an operation until it is answered. Throws NoAnswer when that takes too long. */
async function untilAnswered<Result>(send: () => Promise<Result>, wait: () => void): Promise<Result> {
  const end = Date.now() + underWay.waitMs;
  for (let [lost, charging] = [0, 0]; ; ) {
    try {
      return await send();
    } catch (error) {
      const isCharging = isRejection(error, 'charge_in_progress') && charging++ < chargeRetries;
      const isUnderWay = isCharging || isRejection(error, 'idempotency_in_progress');
      if (!isUnderWay && !(error instanceof NoAnswer)) throw error;
      const waitMs = isUnderWay ? underWay.pauseMs : pausesMs[lost++];
      if (waitMs === undefined || !navigator.onLine || Date.now() > end) throw new NoAnswer();
      wait();
      await pause(waitMs);
    }
  }
}

/** What is done once: its name on the page, the mutation and its input. */
export type Step<Result, Input> = {
  readonly action: string;
  readonly mutation: Document<Result, { readonly input: Input }>;
  readonly input: Input;
  /** Called before each new try. */
  readonly onWait: () => void;
};

/**
 * Carries out a mutation once: its key is kept until its outcome is known, also while the page is loaded again, and it is sent again with it when
 * no answer comes. Throws a Rejection for what the service rejects, and NoAnswer while nobody knows the outcome; the same step is then the same
 * still. One that was sent before with another card is the Rejection `idempotency_key_mismatch`, after which it is a new one.
 */
export async function once<Result, Input extends object>({
  action,
  mutation,
  input,
  onWait,
}: Step<Result, Input>): Promise<Result> {
  const slot = slotOf(action, input as Record<string, unknown>);
  const { key, isNew } = keyFor(slot);
  try {
    const answer = await untilAnswered(() => run(mutation, { input }, { 'Idempotency-Key': key }), onWait);
    dropKey(slot);
    return answer;
  } catch (error) {
    // A charge that is under way may be that of this step: the key is kept for one more try.
    if (error instanceof Rejection && !(isNew && error.code === 'charge_in_progress')) dropKey(slot);
    throw error;
  }
}
