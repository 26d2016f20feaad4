import { countText } from '../../../../documents/format.ts';
import { amountText } from '../../../../domain/money/amount-text.ts';
import { isCurrency, minorPerUnit, rateToMinor } from '../../../../domain/money/money.ts';
import { signedDecimal } from '../../../../domain/rates/decimal.ts';
import { roundedTo } from '../../../../domain/rates/exact.ts';
import type { Language } from '../../../../domain/text/language.ts';
import type { LimitAbout } from '../templates/content.ts';

type Data = Readonly<Record<string, unknown>>;

const textIn = (data: Data, field: string): string | null =>
  typeof data[field] === 'string' ? data[field] : null;

/** Returns the channels of a crossing. Empty for other events. */
export const channelsOf = ({ channels }: Data): readonly string[] =>
  Array.isArray(channels) ? channels.map(String) : [];

/** Returns the key of a crossing's node: the key of a budget, or the ID of an API key or a member. `null` for other nodes. */
const keyOf = ({ node }: Data): string | null =>
  typeof node === 'object' && node !== null && 'key' in node && typeof node.key === 'string'
    ? node.key
    : null;

/** Returns the ID of the API key or the member whose operations crossed a limit. `null` if usage crossed the limit. */
export const callerOf = (data: Data): string | null => {
  const key = keyOf(data);
  return key === null || key.includes(':') ? null : key;
};

/** Returns the key of a crossing's budget. `null` if the limit doesn't apply to a budget. */
const budgetOf = (data: Data): string | null => (callerOf(data) === null ? keyOf(data) : null);

/** Returns an amount of a limit with its unit. Amounts of a balance are in ten-thousandths of the currency unit. */
function shown(data: Data, amount: string, language: Language): string {
  const unit = textIn(data, 'unit') ?? '';
  const exact = signedDecimal(amount);
  if (!isCurrency(unit)) return `${countText(roundedTo(exact, 1n), language)} ${unit}`;
  const isBalance = data['measure'] === 'drawn' || data['measure'] === 'remaining';
  const minor = isBalance ? rateToMinor(roundedTo(exact, 1n), unit) : roundedTo(exact, minorPerUnit(unit));
  return amountText(minor, unit, language);
}

/** Contents of emails about events that concern the amount of a limit. */
const amountEvents: Readonly<Record<string, LimitAbout['event']>> = {
  'limit.reached': 'reached',
  'limit.overrun': 'overrun',
};

/** Returns the content of an email about a crossing of a limit. The reader has the language and the time zone. */
export function limitAbout(
  kind: string,
  data: Data,
  { language, timeZone }: { readonly language: Language; readonly timeZone: string },
): LimitAbout {
  const amount = textIn(data, 'amount');
  const end = textIn(data, 'windowEnd');
  const isRemaining = data['measure'] === 'remaining';
  return {
    name: textIn(data, 'name'),
    event: isRemaining ? 'remaining' : (amountEvents[kind] ?? 'threshold'),
    value: shown(data, textIn(data, 'value') ?? '0', language),
    amount: amount === null ? null : shown(data, amount, language),
    budget: budgetOf(data),
    resetsAt: end === null ? null : new Date(end),
    timeZone,
  };
}

/** Returns the limit and the node of a crossing. Emails with the same key and recipient are combined. */
export const nodeKeyOf = (customerId: string, data: Data): string =>
  `${textIn(data, 'limitId') ?? ''} ${customerId} ${keyOf(data) ?? ''}`;
