import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { currencyText } from '../../../../../ui/format/names.ts';
import { Callout } from '../../../../kit/callout.tsx';
import { Card, Stack } from '../../../../kit/layout.tsx';
import { Menu } from '../../../../kit/menu.tsx';
import { Section } from '../../../../kit/page.tsx';
import { useKit } from '../../../../kit/provider.tsx';
import { Text } from '../../../../kit/text.tsx';
import { basePrices } from '../../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../../words/words.ts';
import type { PartProps } from './catalog-objects.ts';
import { CurrencyGrid } from './currency-grid.tsx';
import { MarketGrid } from './market-grid.tsx';

/** Editor for amounts in other currencies and markets. Amounts converted with an exchange rate are gray; typed amounts are black. */
export function WorldPart({ draft, saved, surroundings, onChange }: PartProps) {
  const { world: words } = useWords('plan');
  const { locale } = useKit();
  const [added, setAdded] = useState<readonly string[]>([]);
  const isUsed = (currency: string) =>
    draft.rates[currency] !== undefined ||
    basePrices(draft).some(
      ({ typed, derived }) => typed[currency] !== undefined || derived.includes(currency),
    );
  const shown = surroundings.currencies.filter((currency) => isUsed(currency) || added.includes(currency));
  const others = surroundings.currencies.filter((currency) => !shown.includes(currency));
  const part = { draft, saved, surroundings, onChange };
  if (basePrices(draft).length === 0) return null;
  return (
    <Section
      title={words.title}
      description={words.text}
      actions={
        <Menu
          label={words.addCurrency}
          icon={<PlusIcon />}
          items={others.map((currency) => ({
            id: currency,
            label: `${currency.toUpperCase()} · ${currencyText(currency, locale)}`,
            onAction: () => setAdded([...added, currency]),
          }))}
        />
      }
    >
      <Stack gap={4}>
        {shown.length === 0 && <Callout>{words.noCurrencies}</Callout>}
        {shown.length > 0 && (
          <Card padding="none">
            <CurrencyGrid {...part} currencies={shown} />
          </Card>
        )}
        {surroundings.markets.length > 0 && (
          <Card title={words.byMarket} padding="none">
            <MarketGrid {...part} />
          </Card>
        )}
        {(shown.length > 0 || surroundings.markets.length > 0) && (
          <Text size="sm" color="muted">
            {words.help}
          </Text>
        )}
      </Stack>
    </Section>
  );
}
