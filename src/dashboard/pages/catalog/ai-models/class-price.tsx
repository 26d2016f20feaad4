import { amountText } from '../../../../ui/format/money.ts';
import { useKit } from '../../../kit/provider.tsx';
import { Text } from '../../../kit/text.tsx';
import type { PriceBandFragment } from './page.graphql';

export type TokenClassName = PriceBandFragment['classes'][number]['class'];

/** Token classes shown in lists of models and prices. */
export const listedClasses = ['input', 'output', 'cache_read', 'cache_write'] as const;

/** Exact price of a token class in US dollars. Shows a dash if the price of another class applies. */
export function ClassPrice({
  band,
  name,
}: {
  readonly band: PriceBandFragment | undefined;
  readonly name: TokenClassName;
}) {
  const { locale } = useKit();
  const found = band?.classes.find((one) => one.class === name);
  return found === undefined ? <Text color="faint">–</Text> : amountText(found.price, 'usd', locale);
}
