import { dateText } from '../../../../documents/format.ts';
import { amountText } from '../../../../domain/money/amount-text.ts';
import type { Language } from '../../../../domain/text/language.ts';
import type { AnnouncedCharge } from './content.ts';

/** Formats the amount of a charge in its currency. */
export const chargeText = (
  { amount, currency }: Pick<AnnouncedCharge, 'amount' | 'currency'>,
  language: Language,
): string => amountText(amount, currency, language);

export const chargeDate = ({ on }: Pick<AnnouncedCharge, 'on'>, language: Language): string =>
  dateText(on, language);
