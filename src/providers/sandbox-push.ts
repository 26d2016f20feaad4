// Simulated payments that the payer starts: Pix, boleto, and bank transfers (INS-130 to INS-132).
import { addBusinessDays } from '../domain/payments/instruments/calendars.ts';
import { boletoLine, pixCode } from '../domain/payments/instruments/payment-codes.ts';
import { instrumentOf } from '../domain/payments/instruments/registry.ts';
import type { ChargeRequest, InstructedPayment, PushTerms } from '../domain/payments/provider.ts';
import type { MethodDetails, PaymentInstructions } from '../domain/rows/rows.ts';
import { hourMs, minuteMs, utcMidnight } from '../domain/time/period.ts';

/** Instruments of payers that the sandbox simulates. */
export const simulatedPush = ['pix', 'boleto', 'bank_transfer'] as const;

type Push = (typeof simulatedPush)[number];

/**
 * Behaviors by the last four digits of the token. `waits`: nothing happens until `sandboxAttemptReport` or the expiry. `pays`: the payer
 * pays after 3 minutes. `pays_last`: the payer pays 10 minutes before the instructions expire.
 */
const behaviours = { waits: '0353', pays: '0191', pays_last: '0272' } as const;

type Behaviour = keyof typeof behaviours;

const parts = new RegExp(
  `^tok_sandbox_(${simulatedPush.join('|')})_(${Object.keys(behaviours).join('|')})_(\\d{4})$`,
);

function readToken(token: string): readonly [Push, Behaviour] | null {
  const [, instrument, behaviour, digits] = parts.exec(token) ?? [];
  return behaviour !== undefined && behaviours[behaviour as Behaviour] === digits
    ? [instrument as Push, behaviour as Behaviour]
    : null;
}

/** Token that simulates a payer who doesn't pay without a report. */
export const pushToken = (instrument: string): string =>
  `tok_sandbox_${instrument}_waits_${behaviours.waits}`;

export const isSimulatedPush = (instrument: string): instrument is Push =>
  (simulatedPush as readonly string[]).includes(instrument);

/** Returns the details of a payment by the payer, by its token. `null` if the token is unknown. */
export function vaultPush(token: string): MethodDetails | null {
  const found = readToken(token);
  if (found === null) return null;
  const [instrument] = found;
  return {
    reference: token,
    bin: null,
    provider: 'platform',
    instrument,
    brand: instrument,
    last4: '',
    expMonth: 12,
    expYear: 9999,
  };
}

/** Account of the simulated bank that receives transfers. */
const account = { iban: 'DE89370400440532013000', bankName: 'Sandbox Bank' } as const;

function instructionsFor(
  { transactionId: id, amountMinor }: ChargeRequest,
  { instrument, expiresAt, requestedAt, recipient, reference }: PushTerms,
): PaymentInstructions {
  const { shows } = instrumentOf(instrument);
  if (shows === 'bank_details') return { kind: shows, holder: recipient, ...account, reference };
  if (shows === 'voucher') {
    const dueDate = utcMidnight(new Date(Date.parse(expiresAt ?? requestedAt) - 3 * hourMs));
    return { kind: 'slip', line: boletoLine({ amountMinor, dueDate, id }) };
  }
  const code = pixCode({ key: 'sandbox@quittance.test', recipient, city: 'Sao Paulo', amountMinor, id });
  return { kind: 'qr', code };
}

/** Time after 00:00 UTC at which the bank confirms payments that it doesn't confirm immediately. */
const confirmedAfterMs = 6 * hourMs;

/** Returns instructions for the payer, and the reports of the simulated bank. The same request always has the same reports. */
export function instructPayer(request: ChargeRequest, terms: PushTerms): InstructedPayment {
  const found = readToken(request.methodReference);
  if (found === null) throw new Error(`The sandbox gateway has no method ${request.methodReference}.`);
  const [instrument, behaviour] = found;
  const { calendar, confirmation } = instrumentOf(instrument);
  const requestedAt = new Date(terms.requestedAt);
  const expiresAt = terms.expiresAt === null ? null : new Date(terms.expiresAt);
  const expired = expiresAt === null ? [] : [{ at: expiresAt, report: { stage: 'expired' } as const }];
  const paidAt =
    behaviour === 'pays_last' && expiresAt !== null
      ? new Date(expiresAt.getTime() - 10 * minuteMs)
      : new Date(requestedAt.getTime() + 3 * minuteMs);
  const confirmedAt = new Date(
    addBusinessDays(calendar, paidAt, confirmation.typical).getTime() + confirmedAfterMs,
  );
  const paid =
    confirmation.typical === 0
      ? [{ at: paidAt, report: { stage: 'settled' } as const }]
      : [
          { at: paidAt, report: { stage: 'processing' } as const },
          { at: confirmedAt, report: { stage: 'settled' } as const },
        ];
  return {
    status: 'awaiting_payer',
    instructions: instructionsFor(request, terms),
    next: behaviour === 'waits' ? expired : paid,
  };
}
