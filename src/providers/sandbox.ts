import { type FieldProblem, validationError } from '../domain/errors/errors.ts';
import {
  type AcceptedAttempt,
  type ChargeRequest,
  type ChargeResult,
  isPayerPresent,
} from '../domain/payments/provider.ts';
import type { MethodDetails } from '../domain/rows/rows.ts';
import type { Gateway } from './provider.ts';
import { acceptDebit, vaultDebit } from './sandbox-debits.ts';
import { instructPayer } from './sandbox-push.ts';

/** Card as entered by the payer. The number can contain spaces and hyphens. */
export type CardInput = {
  readonly number: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly cvc: string;
};

/** Results of charges, by the behavior of the test card. The reference of a payment method contains the name of the behavior. */
const behaviours = {
  pays: { first: 'settled', later: 'settled' },
  declines: { first: 'card_declined', later: 'card_declined' },
  lacks_funds: { first: 'insufficient_funds', later: 'insufficient_funds' },
  is_expired: { first: 'expired_card', later: 'expired_card' },
  is_lost: { first: 'lost_card', later: 'lost_card' },
  is_stolen: { first: 'stolen_card', later: 'stolen_card' },
  is_suspicious: { first: 'fraudulent', later: 'fraudulent' },
  exceeds_limits: { first: 'card_velocity_exceeded', later: 'card_velocity_exceeded' },
  is_refused: { first: 'do_not_honor', later: 'do_not_honor' },
  fails_processing: { first: 'processing_error', later: 'processing_error' },
  has_wrong_code: { first: 'incorrect_cvc', later: 'incorrect_cvc' },
  authenticates: { first: 'requires_action', later: 'settled' },
  authenticates_always: { first: 'requires_action', later: 'requires_action' },
  declines_later: { first: 'settled', later: 'card_declined' },
  disputes: { first: 'settled', later: 'settled' },
} as const;

type Behaviour = keyof typeof behaviours;

/** Numbers of the test cards with the behavior of each card (BIL-60). */
const testCards: ReadonlyMap<string, Behaviour> = new Map([
  ['4242424242424242', 'pays'],
  ['5555555555554444', 'pays'],
  ['378282246310005', 'pays'],
  ['6011111111111117', 'pays'],
  ['3056930009020004', 'pays'],
  ['3566002020360505', 'pays'],
  ['6200000000000005', 'pays'],
  ['4000000000000002', 'declines'],
  ['4000000000009995', 'lacks_funds'],
  ['4000000000000069', 'is_expired'],
  ['4000000000009987', 'is_lost'],
  ['4000000000009979', 'is_stolen'],
  ['4100000000000019', 'is_suspicious'],
  ['4000000000006975', 'exceeds_limits'],
  ['4000000000000101', 'is_refused'],
  ['4000000000000119', 'fails_processing'],
  ['4000000000000127', 'has_wrong_code'],
  ['4000002500003155', 'authenticates'],
  ['4000000000003220', 'authenticates'],
  ['4000002760003184', 'authenticates_always'],
  ['4000000000000341', 'declines_later'],
  ['4000000000000259', 'disputes'],
]);

/** Brands of test cards, by the start of the number. Visa otherwise. */
const brands: readonly (readonly [string, string])[] = [
  ['5', 'mastercard'],
  ['37', 'amex'],
  ['60', 'discover'],
  ['30', 'diners'],
  ['35', 'jcb'],
  ['62', 'unionpay'],
];

const brandOf = (digits: string): string => brands.find(([start]) => digits.startsWith(start))?.[1] ?? 'visa';

const declineMessages = {
  card_declined: 'The card was declined.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  incorrect_cvc: 'The security code is wrong.',
  lost_card: 'The card was reported lost.',
  stolen_card: 'The card was reported stolen.',
  fraudulent: 'The bank suspects fraud.',
  card_velocity_exceeded: 'The card exceeded its limit.',
  do_not_honor: 'The bank declined the charge without a reason.',
  processing_error: "The bank couldn't process the charge.",
} as const;

const declinedWith = (declineCode: keyof typeof declineMessages): ChargeResult => ({
  status: 'declined',
  declineCode,
  message: declineMessages[declineCode],
});

/** True if the check digit is valid (Luhn algorithm). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function numberProblem(digits: string): string | null {
  if (!/^\d{12,19}$/.test(digits)) return 'The card number must have 12 to 19 digits.';
  if (!hasCheckDigit(digits)) return 'The card number is invalid.';
  if (!testCards.has(digits)) return 'The sandbox only accepts test cards, such as 4242 4242 4242 4242.';
  return null;
}

/** Returns the field errors of a card. The expiration date is compared with real time, never with the test clock. */
function cardProblems(card: CardInput, digits: string, wallNow: Date): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const number = numberProblem(digits);
  if (number !== null) problems.push({ field: 'card.number', message: number });
  const isMonth = Number.isInteger(card.expMonth) && card.expMonth >= 1 && card.expMonth <= 12;
  if (!isMonth)
    problems.push({
      field: 'card.expMonth',
      message: 'The expiration month must be a whole number from 1 to 12.',
    });
  const isYear = Number.isInteger(card.expYear) && card.expYear >= 2000 && card.expYear <= 9999;
  if (!isYear) problems.push({ field: 'card.expYear', message: 'The expiration year must have 4 digits.' });
  const lastMonth = card.expYear * 12 + card.expMonth - 1;
  if (isMonth && isYear && lastMonth < wallNow.getUTCFullYear() * 12 + wallNow.getUTCMonth()) {
    problems.push({ field: 'card.expYear', message: 'The card has expired.' });
  }
  if (!/^\d{3,4}$/.test(card.cvc))
    problems.push({ field: 'card.cvc', message: 'The security code must have 3 or 4 digits.' });
  return problems;
}

/**
 * Validates a test card and returns the details to store: the first eight and last four digits, and a reference that encodes the card's
 * behavior. Throws `validation_error` with all errors for `card.number`, `card.expMonth`, `card.expYear` and `card.cvc`.
 */
export function vaultCard(card: CardInput, wallNow: Date): MethodDetails {
  const digits = card.number.replace(/[\s-]/g, '');
  const problems = cardProblems(card, digits, wallNow);
  const behaviour = testCards.get(digits);
  if (problems.length > 0 || behaviour === undefined) throw validationError(problems);
  const last4 = digits.slice(-4);
  return {
    reference: `tok_sandbox_${behaviour}_${last4}`,
    bin: digits.slice(0, 8),
    provider: 'platform',
    brand: brandOf(digits),
    last4,
    expMonth: card.expMonth,
    expYear: card.expYear,
  };
}

const isBehaviour = (word: string): word is Behaviour => Object.hasOwn(behaviours, word);

function behaviourOf({ methodReference }: ChargeRequest): Behaviour {
  const word = /^tok_sandbox_([a-z_]+)_\d{4}$/.exec(methodReference)?.[1];
  if (word === undefined || !isBehaviour(word))
    throw new Error(`The sandbox gateway has no method ${methodReference}.`);
  return word;
}

/** True for the security codes `000` and `0000`, which all test cards reject. */
const isWrongCode = (code: string | undefined): boolean => code !== undefined && /^0{3,4}$/.test(code);

/**
 * Returns the result of a charge, setup, or refund. The result depends on the card's behavior, on whether this is the
 * first charge, on the payer's presence, and on the security code. The same request always has the same result. Refunds
 * always succeed. Bank debits are accepted, and their results follow later.
 */
export function sandboxCharge(request: ChargeRequest): ChargeResult | AcceptedAttempt {
  if (request.kind === 'refund') return { status: 'settled' };
  if (request.push !== undefined) return instructPayer(request, request.push);
  if (request.debit !== undefined) return acceptDebit(request.methodReference, request.debit);
  if (vaultDebit(request.methodReference) !== null) return { status: 'settled' };
  if (isWrongCode(request.securityCode)) return declinedWith('incorrect_cvc');
  const behaviour = behaviourOf(request);
  // Cards that require authentication require it for every payment by a payer who is present, not only for the first payment.
  const isFirst = behaviour === 'authenticates' ? isPayerPresent(request) : request.isFirst;
  const answer = behaviours[behaviour][isFirst ? 'first' : 'later'];
  if (answer === 'settled' || answer === 'requires_action') return { status: answer };
  return declinedWith(answer);
}

/** Returns the dispute reason `fraudulent` for each charge to a test card with the behavior `disputes`, otherwise `null`. */
export const sandboxDispute = (request: ChargeRequest): string | null =>
  request.kind === 'charge' &&
  request.debit === undefined &&
  request.push === undefined &&
  behaviourOf(request) === 'disputes'
    ? 'fraudulent'
    : null;

/** Gateway for sandboxes, which moves no money. */
export const sandboxGateway: Gateway = { local: true, charge: sandboxCharge, disputeOf: sandboxDispute };
