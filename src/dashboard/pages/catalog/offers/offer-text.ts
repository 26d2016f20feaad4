import { moneyText } from '../../../../ui/format/money.ts';
import { basisPointsText } from '../../../../ui/format/numbers.ts';
import type { PhaseDraft } from '../../../parts/catalog/model/phases.ts';
import type { offers } from '../../../words/en/offers.ts';
import type { Translation } from '../../../words/words.ts';

/** The phases of an offer in one line: "14 days free, then 20% off for 3 periods". */
export function offerText(
  phases: readonly PhaseDraft[],
  { brief: words }: Translation<typeof offers>,
  locale: string,
): string {
  const texts = phases.map((phase) => {
    if (phase.type === 'free_trial') return words.trial(phase.days);
    const amounts = phase.amounts.map(({ currency, amount }) => moneyText(amount, currency, locale));
    const benefit = {
      percentage: () => words.off(basisPointsText(phase.share, locale)),
      amount_off: () => words.off(amounts.join(' · ')),
      fixed_price: () => words.fixed(amounts.join(' · ')),
    }[phase.type]();
    return phase.cycles === null ? words.forever(benefit) : words.lasting(benefit, phase.cycles);
  });
  return texts.join(words.joint);
}
