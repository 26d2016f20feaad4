import { moneyText } from '../../../../ui/format/money.ts';
import { useData } from '../../../data/hooks.ts';
import { Status } from '../../../kit/badge.tsx';
import { LinkButton } from '../../../kit/button.tsx';
import { Code } from '../../../kit/code.tsx';
import { Card, Row, Stack } from '../../../kit/layout.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Text } from '../../../kit/text.tsx';
import { perInterval } from '../../../parts/catalog/interval-text.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogPricingTableShownDocument } from './page.graphql';
import { embedCode, type PricingTable } from './table-draft.ts';

/** Shows a saved pricing table as visitors see it, with its URL and the code that embeds it in another page. */
export function TablePreview({ table }: { readonly table: PricingTable }) {
  const words = useWords('pricingtables');
  const common = useWords('catalog');
  const { locale } = useKit();
  const { data } = useData(CatalogPricingTableShownDocument, { id: table.id });
  const plans = data?.pricingTablePreview.plans ?? [];
  return (
    <Stack gap={4}>
      <Card title={words.preview}>
        <Stack gap={3}>
          {data !== null && plans.length === 0 && <Text>{words.previewEmpty}</Text>}
          {plans.map(({ planId, name, text, isHighlighted, isFree, prices }) => (
            <Stack key={planId} gap={1}>
              <Row gap={2}>
                <Text weight="medium">{name}</Text>
                {isHighlighted && <Status tone="info">{words.recommended}</Status>}
              </Row>
              {text !== null && <Text color="muted">{text}</Text>}
              <Text>
                {isFree
                  ? words.free
                  : prices
                      .map(({ billingInterval, price, currency }) =>
                        perInterval(common, moneyText(price, currency, locale), billingInterval),
                      )
                      .join(' · ')}
              </Text>
            </Stack>
          ))}
          <Text size="sm" color="muted">
            {words.previewHelp}
          </Text>
          {table.isActive && (
            <Row>
              <LinkButton href={table.url} target="_blank" rel="noopener noreferrer">
                {words.open}
              </LinkButton>
            </Row>
          )}
        </Stack>
      </Card>
      <Card title={words.embed}>
        <Stack gap={3}>
          <Text color="muted">{words.embedHelp}</Text>
          <Code label={words.embedCode} code={embedCode(table.url)} />
        </Stack>
      </Card>
    </Stack>
  );
}
