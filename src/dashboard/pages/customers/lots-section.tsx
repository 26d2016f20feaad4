import type { ResultOf } from '../../../ui/documents.ts';
import { moneyText } from '../../../ui/format/money.ts';
import { useCommandAddress } from '../../commands/actions.tsx';
import { canExpire, canRevoke } from '../../commands/lots.tsx';
import { Button } from '../../kit/button.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Section } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { StackedBar, Swatch } from '../../kit/stacked-bar.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { DateText } from '../../kit/values.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { useTerms } from '../../parts/terms.ts';
import { useAmountText, useUnitName } from '../../parts/units.ts';
import type { SubscriptionLedgerDocument } from './tabs.graphql';

type LotsProps = Pick<
  ResultOf<typeof SubscriptionLedgerDocument>['subscription']['pools'][number],
  'asset' | 'lots'
>;

type ShownLot = LotsProps['lots'][number];

/** Source of a lot with its description and the features whose usage can draw on the lot. */
function Source({ lot, index }: { readonly lot: ShownLot; readonly index: number }) {
  const { credits: words } = useCustomerWords();
  const terms = useTerms();
  const { source, description, featureCodes } = lot;
  const details = [
    ...(description === null ? [] : [description]),
    ...(featureCodes.length === 0 ? [] : [words.only({ features: featureCodes.join(', ') })]),
  ];
  return (
    <Swatch index={index}>
      <Stack gap={0}>
        <Text>{terms.lotSource[source]}</Text>
        {details.length > 0 && (
          <Text size="sm" color="muted">
            {details.join(' · ')}
          </Text>
        )}
      </Stack>
    </Swatch>
  );
}

/** Shows the lots of an asset as a bar and a table, in the order in which usage draws on them. */
export function LotsSection({ asset, lots }: LotsProps) {
  const { credits: words } = useCustomerWords();
  const terms = useTerms();
  const { locale } = useKit();
  const { open } = useCommandAddress();
  const textOf = useAmountText(asset);
  const unit = useUnitName(asset);
  const title = unit === null ? words.lots : words.lotsOf({ unit });
  const shown = lots.filter(({ remaining }) => remaining !== 0);
  const rows = shown.map((lot, index) => ({ lot, index }));
  return (
    <Section
      title={title}
      actions={
        <Button size="sm" onPress={() => open('lotGrant', asset)}>
          {words.grant}
        </Button>
      }
    >
      <Stack gap={3}>
        {shown.length > 0 && (
          <StackedBar
            label={unit === null ? words.bar : words.barOf({ unit })}
            parts={shown.map(({ id, source, remaining }) => ({
              id,
              label: terms.lotSource[source],
              value: Math.max(remaining, 0),
              text: textOf(remaining),
            }))}
          />
        )}
        <Table
          label={title}
          rows={rows}
          rowKey={({ lot }) => lot.id}
          empty={words.noLots}
          columns={[
            {
              id: 'source',
              title: words.source,
              cell: ({ lot, index }) => <Source lot={lot} index={index} />,
            },
            { id: 'left', title: words.left, align: 'end', cell: ({ lot }) => textOf(lot.remaining) },
            {
              id: 'amount',
              title: words.amount,
              align: 'end',
              priority: 'secondary',
              cell: ({ lot }) => textOf(lot.amount),
            },
            {
              id: 'worth',
              title: words.worth,
              align: 'end',
              cell: ({ lot: { worth } }) =>
                worth === null ? '–' : moneyText(worth.amount, worth.currency, locale),
            },
            {
              id: 'expires',
              title: words.expires,
              cell: ({ lot: { expiresAt } }) => (expiresAt ? <DateText at={expiresAt} /> : words.never),
            },
            {
              id: 'actions',
              title: <Hidden>{words.expiry}</Hidden>,
              cell: ({ lot }) => (
                <Row gap={1}>
                  {canExpire(lot) && (
                    <Button size="sm" kind="quiet" onPress={() => open('lotExpirySet', lot.id)}>
                      {words.expiry}
                    </Button>
                  )}
                  {canRevoke(lot) && (
                    <Button size="sm" kind="quiet" onPress={() => open('lotRevoke', lot.id)}>
                      {words.revoke}
                    </Button>
                  )}
                </Row>
              ),
            },
          ]}
        />
      </Stack>
    </Section>
  );
}
