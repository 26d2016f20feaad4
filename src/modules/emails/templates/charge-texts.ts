// How emails say what is charged, when and how often.
import { dateText } from '../../../documents/format.ts';
import { amountText, type Language } from '../../../domain/amount-text.ts';
import type { RecurringInterval } from '../../../domain/enums.ts';
import type { AnnouncedCharge } from './content.ts';

const often: { readonly [language in Language]: { readonly [interval in RecurringInterval]: string } } = {
  en: { weekly: 'every week', monthly: 'every month', quarterly: 'every three months', yearly: 'every year' },
  es: { weekly: 'cada semana', monthly: 'cada mes', quarterly: 'cada tres meses', yearly: 'cada año' },
};

/** How often something is charged from then on, as `every month`; null where it is charged once. */
export const intervalText = (
  { interval }: Pick<AnnouncedCharge, 'interval'>,
  language: Language,
): string | null => (interval === null ? null : often[language][interval]);

/** What is charged, as an amount in its currency. */
export const chargeText = (
  { amount, currency }: Pick<AnnouncedCharge, 'amount' | 'currency'>,
  language: Language,
): string => amountText(amount, currency, language);

/** When it is charged, as a date. */
export const chargeDate = ({ on }: Pick<AnnouncedCharge, 'on'>, language: Language): string =>
  dateText(on, language);
