import PlusIcon from 'lucide-react/icons/plus';
import XIcon from 'lucide-react/icons/x';
import { useState } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import { FormGrid } from '../../kit/form.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { ComboBox, Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { type OverrideDraft, withBoundsOf } from './model/override-draft.ts';
import { type RateDraft, readDraft } from './model/rate-draft.ts';
import { RateFields, useRateProblems } from './rate-fields.tsx';

const everywhere = 'all';

/** Markets and currencies in which a rate can have other amounts. */
type OverridePlaces = {
  readonly markets: readonly { readonly id: string; readonly name: string }[];
  /** Currencies other than US dollars. */
  readonly currencies: readonly string[];
};

type OverrideFieldsProps = OverridePlaces & {
  readonly base: RateDraft;
  /** Number of decimals of the feature's meter. */
  readonly decimals: number;
  readonly overrides: readonly OverrideDraft[];
  readonly onChange: (overrides: readonly OverrideDraft[]) => void;
};

/** Amounts of a rate in a market or in a currency. The tiers have the bounds of the base rate. */
function Override({
  name,
  base,
  decimals,
  override,
  onChange,
  onRemove,
}: {
  readonly name: string;
  readonly base: RateDraft;
  readonly decimals: number;
  readonly override: OverrideDraft;
  readonly onChange: (rate: RateDraft) => void;
  readonly onRemove: () => void;
}) {
  const { overrides: words } = useWords('plan');
  const rate = withBoundsOf(base, override.rate);
  const problems = useRateProblems(readDraft(rate, decimals));
  return (
    <Stack gap={2}>
      <Row justify="between">
        <Text weight="bold">{name}</Text>
        <IconButton icon={<XIcon />} label={words.remove({ name })} onPress={onRemove} />
      </Row>
      <RateFields
        rate={rate}
        currency={override.currency}
        place={name}
        isInCredits={false}
        onChange={onChange}
        problems={problems}
      />
    </Stack>
  );
}

/** Edits the rates that replace a rate in markets and currencies. */
export function OverrideFields({
  base,
  decimals,
  overrides,
  markets,
  currencies,
  onChange,
}: OverrideFieldsProps) {
  const { overrides: words } = useWords('plan');
  const [market, setMarket] = useState(everywhere);
  const [currency, setCurrency] = useState<string | null>(null);
  const marketId = market === everywhere ? null : market;
  const nameOf = (one: OverrideDraft): string => {
    const code = one.currency.toUpperCase();
    if (one.marketId === null) return code;
    return words.name({ market: markets.find(({ id }) => id === one.marketId)?.name ?? one.marketId, code });
  };
  // A market can have one override, and so can a currency without a market.
  const isTaken = overrides.some((one) =>
    marketId === null ? one.marketId === null && one.currency === currency : one.marketId === marketId,
  );
  const add = () => {
    if (currency === null) return;
    onChange([...overrides, { marketId, currency, rate: base }]);
    setMarket(everywhere);
    setCurrency(null);
  };
  return (
    <Stack gap={4}>
      <Stack gap={1}>
        <Text weight="bold">{words.title}</Text>
        <Text size="sm" color="muted">
          {words.help}
        </Text>
      </Stack>
      {overrides.map((override, index) => (
        <Override
          key={`${override.marketId} ${override.currency}`}
          name={nameOf(override)}
          base={base}
          decimals={decimals}
          override={override}
          onChange={(rate) =>
            onChange(overrides.map((one, place) => (place === index ? { ...one, rate } : one)))
          }
          onRemove={() => onChange(overrides.filter((_, place) => place !== index))}
        />
      ))}
      <FormGrid>
        <Select
          label={words.market}
          value={market}
          onChange={setMarket}
          options={[
            { value: everywhere, label: words.everywhere },
            ...markets.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <ComboBox
          label={words.currency}
          value={currency}
          onChange={setCurrency}
          options={[...(marketId === null ? [] : ['usd']), ...currencies].map((code) => ({
            value: code,
            label: code.toUpperCase(),
          }))}
        />
      </FormGrid>
      <Row gap={2}>
        <Button
          icon={<PlusIcon />}
          isDisabled={currency === null || isTaken || (marketId === null && currency === 'usd')}
          onPress={add}
        >
          {words.add}
        </Button>
        {isTaken && <Text color="warning">{words.taken}</Text>}
      </Row>
    </Stack>
  );
}
