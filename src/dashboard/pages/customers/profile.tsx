import { timeText } from '../../../ui/format/dates.ts';
import { countryText } from '../../../ui/format/names.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { DateText, RelativeTime } from '../../kit/values.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { Cards } from './cards.tsx';
import type { CustomerPageQuery } from './page.graphql';
import type { CustomerProfileFragment } from './profile.graphql';

type Props = {
  readonly customer: CustomerPageQuery['customer'];
  readonly onEdit: () => void;
};

function Address({ address }: { readonly address: CustomerProfileFragment['address'] }) {
  const { page } = useCustomerWords();
  const { locale } = useKit();
  if (address === null) return <Text color="muted">{page.about.noAddress}</Text>;
  const { line1, line2, city, state, region, postalCode, country } = address;
  const lines = [
    line1,
    line2,
    [postalCode, city].filter(Boolean).join(' '),
    state ?? region,
    countryText(country, locale),
  ].filter(Boolean);
  return (
    <Stack gap={0}>
      {lines.map((line) => (
        <Text key={line}>{line}</Text>
      ))}
    </Stack>
  );
}

/** Customer profile in the narrow column. */
export function About({ customer, onEdit }: Props) {
  const { page, columns } = useCustomerWords();
  const words = page.about;
  const { locale, now } = useKit();
  const metadata = Object.entries((customer.metadata ?? {}) as Record<string, unknown>);
  return (
    <Stack gap={5}>
      <Row justify="between">
        <Heading level={2} size="md">
          {words.title}
        </Heading>
        <Button size="sm" keys="e" onPress={onEdit}>
          {page.edit}
        </Button>
      </Row>
      <FactList
        look="stacked"
        items={[
          { label: words.email, value: <Copy value={customer.email} isText /> },
          customer.externalId
            ? { label: words.externalId, value: <Copy value={customer.externalId} /> }
            : null,
          { label: words.id, value: <Copy value={customer.id} short /> },
          { label: words.address, value: <Address address={customer.address} /> },
          customer.taxDocument ? { label: words.taxDocument, value: customer.taxDocument } : null,
          { label: words.cards, value: <Cards customer={customer} /> },
          {
            label: words.timezone,
            value: `${customer.timezone} · ${timeText(now(), { locale, timeZone: customer.timezone })}`,
          },
          { label: words.created, value: <DateText at={customer.createdAt} /> },
          customer.lastEventAt
            ? { label: columns.lastEvent, value: <RelativeTime at={customer.lastEventAt} /> }
            : null,
          metadata.length > 0
            ? {
                label: words.metadata,
                value: (
                  <FactList
                    items={metadata.map(([label, value]) => ({
                      label,
                      value: typeof value === 'string' ? value : JSON.stringify(value),
                    }))}
                  />
                ),
              }
            : null,
        ]}
      />
    </Stack>
  );
}
