import PlusIcon from 'lucide-react/icons/plus';
import XIcon from 'lucide-react/icons/x';
import { mostTiers } from '../../../domain/rates/read-rate.ts';
import { currencySign } from '../../../ui/format/money.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { FormGrid } from '../../kit/form.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { NumberField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { DecimalField } from './decimal-field.tsx';
import type { RateDraft, readDraft } from './model/rate-draft.ts';
import { pastedTiers, problemOf, withModel, withNewTier, withoutTier, withTier } from './model/rate-table.ts';
import { quantityText } from './rate-prices.tsx';

const largestPer = 1_000_000_000_000;

export type Problems = (field: string) => { readonly error?: string };

type EditProps = {
  readonly rate: RateDraft;
  readonly isInCredits: boolean;
  /** Currency of the amounts. Defaults to US dollars. */
  readonly currency?: string;
  /** Market or currency of an override, for its labels. The tiers of an override have fixed bounds. Defaults to no override. */
  readonly place?: string | null;
  readonly onChange: (rate: RateDraft) => void;
  readonly problems: Problems;
};

/** Rows with the tiers of a rate. */
function Tiers({ rate, isInCredits, currency = 'usd', place = null, onChange, problems }: EditProps) {
  const { rate: words } = useWords('plan');
  const common = useWords('catalog');
  const { locale } = useKit();
  const { model, tiers } = rate;
  const isFixed = place !== null;
  const rows = tiers.map((tier, index) => ({ tier, index, isLast: index === tiers.length - 1 }));
  const paste = (text: string): boolean => {
    const pasted = pastedTiers(text, locale);
    if (pasted === null) return false;
    onChange(withModel({ ...rate, tiers: pasted }, model));
    return true;
  };
  const amount = (name: 'amount' | 'flat', { tier, index }: (typeof rows)[number]) => (
    <DecimalField
      label={(name === 'amount' ? words.priceOf : words.flatOf)({ number: String(index + 1) })}
      isLabelHidden
      {...(!isInCredits && { before: currencySign(currency, locale) })}
      placeholder="0"
      value={tier[name]}
      onChange={(value) => onChange(withTier(rate, index, { [name]: value }))}
      {...problems(`tiers.${index}.${name}`)}
    />
  );
  return (
    <Stack gap={2}>
      <Table
        label={place === null ? words.tiers : words.tiersIn({ place })}
        rows={rows}
        rowKey={({ index }) => index}
        columns={[
          {
            id: 'upTo',
            title: words.upTo,
            cell: ({ tier, index, isLast }) =>
              isFixed ? (
                <Text>{isLast ? words.noLimit : quantityText(Number(tier.upTo), locale)}</Text>
              ) : (
                <DecimalField
                  label={words.upToOf({ number: String(index + 1) })}
                  isLabelHidden
                  placeholder={isLast ? words.noLimit : ''}
                  value={tier.upTo}
                  onChange={(upTo) => onChange(withTier(rate, index, { upTo }))}
                  {...(index === 0 && { onPaste: paste })}
                  {...problems(`tiers.${index}.upTo`)}
                />
              ),
          },
          ...(model === 'stairs'
            ? []
            : [
                {
                  id: 'price',
                  title: words.price,
                  cell: (row: (typeof rows)[number]) => amount('amount', row),
                },
              ]),
          {
            id: 'flat',
            title: model === 'stairs' ? words.price : words.flat,
            cell: (row) => amount('flat', row),
          },
          ...(isFixed
            ? []
            : [
                {
                  id: 'remove',
                  title: common.verbs.remove,
                  cell: ({ index }: (typeof rows)[number]) =>
                    tiers.length > 1 && (
                      <IconButton
                        icon={<XIcon />}
                        label={words.remove({ number: String(index + 1) })}
                        onPress={() => onChange(withoutTier(rate, index))}
                      />
                    ),
                },
              ]),
        ]}
      />
      {!isFixed && (
        <>
          <Row gap={2}>
            <Button
              icon={<PlusIcon />}
              isDisabled={tiers.length >= mostTiers}
              onPress={() => onChange(withNewTier(rate))}
            >
              {words.add}
            </Button>
          </Row>
          <Text size="sm" color="muted">
            {problems('tiers').error ?? words.tiersHelp}
          </Text>
        </>
      )}
    </Stack>
  );
}

/** Fields of a rate whose price isn't only a price per unit. */
export function RateFields({
  rate,
  isInCredits,
  currency = 'usd',
  place = null,
  onChange,
  problems,
}: EditProps) {
  const { rate: words } = useWords('plan');
  const { locale } = useKit();
  const { model } = rate;
  const [tier] = rate.tiers;
  const sign = isInCredits ? {} : { before: currencySign(currency, locale) };
  return (
    <Stack gap={4}>
      <FormGrid>
        {model === 'per_unit' && (
          <DecimalField
            label={words.price}
            {...sign}
            value={tier?.amount ?? ''}
            onChange={(amount) => onChange(withTier(rate, 0, { amount }))}
            {...problems('tiers.0.amount')}
          />
        )}
        {model !== 'stairs' && (
          <NumberField
            label={model === 'package' ? words.perPackage : words.per}
            value={rate.per}
            minValue={1}
            maxValue={largestPer}
            onChange={(per) => onChange({ ...rate, per: Number.isNaN(per) ? 1 : per })}
            {...problems('per')}
          />
        )}
      </FormGrid>
      {model !== 'per_unit' && (
        <Tiers
          rate={rate}
          isInCredits={isInCredits}
          currency={currency}
          place={place}
          onChange={onChange}
          problems={problems}
        />
      )}
      <FormGrid>
        <DecimalField
          label={words.minimum}
          help={words.minimumHelp}
          isOptional
          {...sign}
          value={rate.minimum}
          onChange={(minimum) => onChange({ ...rate, minimum })}
          {...problems('minimum')}
        />
        <DecimalField
          label={words.maximum}
          isOptional
          {...sign}
          value={rate.maximum}
          onChange={(maximum) => onChange({ ...rate, maximum })}
          {...problems('maximum')}
        />
      </FormGrid>
    </Stack>
  );
}

/** Returns the messages for the problems of a rate, by field. */
export function useRateProblems(read: ReturnType<typeof readDraft> | null): Problems {
  const { rate: words } = useWords('plan');
  return (field) => {
    const found =
      read !== null && 'problems' in read ? read.problems.find((one) => one.field === field) : undefined;
    return found === undefined ? {} : { error: words.problems[problemOf(found.message)] };
  };
}
