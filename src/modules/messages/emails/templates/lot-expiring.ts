import { countText, dateText } from '../../../../documents/format.ts';
import { amountText } from '../../../../domain/money/amount-text.ts';
import type { Language } from '../../../../domain/text/language.ts';
import { type EmailAbout, emailText } from './content.ts';
import type { EmailWords } from './words.ts';

/** Returns the amount of a lot with its unit. `null` if the email isn't about a lot. */
function lotText(
  { lotExpiring: words }: EmailWords,
  { money, units }: EmailAbout,
  language: Language,
): string | null {
  if (money !== null) return amountText(money.amount, money.currency, language);
  if (units === null) return null;
  return units.name === null
    ? words.credits({ count: Number(units.amount) })
    : words.units({ amount: countText(units.amount, language), unit: units.name });
}

/** Email about a prepaid amount that expires in 7 days, with a portal link. */
export const lotExpiringEmail = emailText(
  (words, { sender, language }, about) => {
    const { lotExpiring } = words;
    const amount = lotText(words, about, language);
    const day = dateText(about.on, language);
    return {
      subject: lotExpiring.subject({ sender }),
      paragraphs: [
        amount === null
          ? lotExpiring.textUnnamed({ sender, day })
          : lotExpiring.text({ amount, sender, day }),
      ],
      action: null,
    };
  },
  ['plan', 'date'],
  'first',
);
