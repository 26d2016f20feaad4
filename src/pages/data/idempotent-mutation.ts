import type { Document } from '../../ui/documents.ts';
import { NoAnswer, Rejection, run } from './service.ts';

// Sends a mutation with the same idempotency key on each attempt, so that it takes effect once.

/** Delays before an operation without a response is sent again. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000];

/** Maximum wait while an earlier attempt of the operation is still running, and the delay between attempts. */
const runningWait = { waitMs: 90_000, pauseMs: 2_000 };

/** Number of retries while a charge is in progress. If this step started the charge, the charge's result is returned. */
const chargeRetries = 3;

/** Storage period of keys in the browser: one hour less than in the service. */
const keyLifetimeMs = 23 * 3_600_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns a random key of 32 hexadecimal digits. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Idempotency keys in a browser without session storage. */
const memory = new Map<string, string>();

/** Returns the session storage. `null` if the browser doesn't allow it. */
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

/** Returns a hash of a string, so that the input isn't stored. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Returns the storage name of a step's key, derived from the page, the step and the input without the card. */
function slotOf(
  action: string,
  { card: _card, paymentMethod: _method, savedMethod: _saved, ...rest }: Record<string, unknown>,
) {
  return `intention ${location.pathname} ${action} ${digest(JSON.stringify(rest))}`;
}

/** Returns the key of an earlier attempt whose outcome is unknown. Otherwise, creates a key. */
function keyFor(slot: string): { key: string; isNew: boolean } {
  const [key = '', sentAt = ''] = readKey(slot).split(' ');
  if (key !== '' && Date.now() - Number(sentAt) < keyLifetimeMs) return { key, isNew: false };
  const made = newKey();
  keepKey(slot, `${made} ${Date.now()}`);
  return { key: made, isNew: true };
}

const isRejection = (error: unknown, code: string): boolean =>
  error instanceof Rejection && error.code === code;

/** Sends an operation until it gets a response. Throws `NoAnswer` after the time limit. */
async function untilAnswered<Result>(send: () => Promise<Result>, wait: () => void): Promise<Result> {
  const end = Date.now() + runningWait.waitMs;
  for (let [lost, charging] = [0, 0]; ; ) {
    try {
      return await send();
    } catch (error) {
      const isCharging = isRejection(error, 'charge_in_progress') && charging++ < chargeRetries;
      const isUnderWay = isCharging || isRejection(error, 'idempotency_in_progress');
      if (!isUnderWay && !(error instanceof NoAnswer)) throw error;
      const waitMs = isUnderWay ? runningWait.pauseMs : pausesMs[lost++];
      if (waitMs === undefined || !navigator.onLine || Date.now() > end) throw new NoAnswer();
      wait();
      await pause(waitMs);
    }
  }
}

/** Mutation with its input, and the name of the page's step that sends it. */
export type Step<Result, Input> = {
  readonly action: string;
  readonly mutation: Document<Result, { readonly input: Input }>;
  readonly input: Input;
  /** Called before each retry. */
  readonly onWait: () => void;
};

/**
 * Sends a mutation that takes effect once. A request without a response is sent again with the same idempotency key. The key is stored until the
 * outcome is known, also across reloads. Throws `Rejection` if the service rejects the mutation, and `NoAnswer` if the outcome is unknown; the next
 * call then continues the same step. If an earlier attempt used another card, throws `Rejection` with the code `idempotency_key_mismatch`, and the
 * next call starts a new step.
 */
export async function mutate<Result, Input extends object>({
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
    // A charge in progress may belong to this step, so the key stays stored for another attempt.
    if (error instanceof Rejection && !(isNew && error.code === 'charge_in_progress')) dropKey(slot);
    throw error;
  }
}
