import { numberFormat, numberText } from '../../ui/format/numbers.ts';
import { type TieredRate, tierTexts } from '../../ui/format/tiers.ts';
import { usePage } from '../data/current-page.ts';
import type { Priced } from '../format.ts';
import type { Areas } from '../words/areas.ts';
import styles from './tiers.module.css';

type TiersProps = {
  readonly rate: TieredRate & {
    readonly model: 'per_unit' | 'graduated' | 'volume' | 'package' | 'stairs';
    readonly minimum: string | null;
    readonly maximum: string | null;
  };
  /** Currency of the amounts. `null` if the amounts are credits. */
  readonly priced: Priced | null;
  readonly words: Areas['portal']['tiers'];
  /** Number of included units, which the tiers don't count. */
  readonly included: number | null;
  /** Name of the feature, if the text before the table doesn't contain it. */
  readonly name?: string;
};

/** Table of a rate's tiers. */
export function Tiers({ rate, priced, words, included, name = '' }: TiersProps) {
  const page = usePage();
  const { model, per, minimum, maximum } = rate;
  const count = (value: number): string => numberText(value, page.language, 9);
  const amount = (decimal: string): string =>
    numberFormat(page.language, {
      ...(priced !== null && {
        style: 'currency',
        currency: priced.currency.toUpperCase(),
        minimumFractionDigits: priced.currencyDecimals,
      }),
      maximumFractionDigits: 12,
      // The text contains only digits, but the formatter's type accepts only number literals.
    }).format(decimal as Intl.StringNumericLiteral);
  return (
    <table class={styles.tiers}>
      <caption>
        {name === '' ? '' : `${name}. `}
        {included ? `${words.above}. ` : ''}
        {model === 'per_unit' ? words.per_unit({ per }) : words[model]}
        {minimum === null ? '' : ` ${words.minimum({ amount: amount(minimum) })}`}
        {maximum === null ? '' : ` ${words.maximum({ amount: amount(maximum) })}`}
      </caption>
      <thead>
        <tr>
          <th scope="col">{words.units}</th>
          <th scope="col">{priced === null ? words.credits : words.price}</th>
        </tr>
      </thead>
      <tbody>
        {tierTexts(rate, { count, amount }).map(({ units, price }) => (
          <tr key={units}>
            <td>{units}</td>
            <td>{price}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
