import { moneyText } from '../../../../ui/format/money.ts';
import { basisPointsText } from '../../../../ui/format/numbers.ts';
import type { PhaseDraft } from '../../../parts/catalog/model/phases.ts';
import type { Words } from '../../../words/words.ts';

/** Describes the phases of an offer in one line, such as "14 days free, then 20% off for 3 periods". */
export function offerText(
  phases: readonly PhaseDraft[],
  { brief: words }: Words['offers'],
  locale: string,
): string {
  const texts = phases.map((phase) => {
    if (phase.type === 'free_trial') return words.trial({ days: phase.days });
    const amounts = phase.amounts.map(({ currency, amount }) => moneyText(amount, currency, locale));
    const benefit = {
      percentage: () => words.off({ what: basisPointsText(phase.share, locale) }),
      amount_off: () => words.off({ what: amounts.join(' · ') }),
      fixed_price: () => words.fixed({ amount: amounts.join(' · ') }),
    }[phase.type]();
    return phase.cycles === null
      ? words.forever({ benefit })
      : words.lasting({ benefit, cycles: phase.cycles });
  });
  return texts.join(words.joint);
}
