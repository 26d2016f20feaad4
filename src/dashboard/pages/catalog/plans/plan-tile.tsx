import type { ResultOf } from '../../../../ui/documents.ts';
import { moneyText } from '../../../../ui/format/money.ts';
import { addressOf } from '../../../address.ts';
import { Badge } from '../../../kit/badge.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Text } from '../../../kit/text.tsx';
import { perInterval } from '../../../parts/catalog/interval-text.ts';
import { useWords, type Words } from '../../../words/words.ts';
import type { CatalogPlansDocument } from './page.graphql';

type Plan = ResultOf<typeof CatalogPlansDocument>['plans']['nodes'][number];

/** Maximum number of features listed by name. */
const maxNames = 4;

/** Lists the first features by name, followed by the number of other features. */
function featuresText(words: Words['plans'], features: readonly string[]): string {
  if (features.length === 0) return words.noFeatures;
  const names = features.slice(0, maxNames).join(' · ');
  return features.length <= maxNames ? names : words.features({ names, more: features.length - maxNames });
}

/** Plan tile: name, prices by interval, features, and subscribers. */
export function PlanTile({ plan }: { readonly plan: Plan }) {
  const words = useWords('plans');
  const common = useWords('catalog');
  const { locale } = useKit();
  const bases = plan.prices.filter(
    (price) => price.inheritsFromPriceId === null && price.archivedAt === null,
  );
  const features = plan.features.filter(({ enabled }) => enabled);
  return (
    <Row gap={4} justify="between">
      <Stack gap={1}>
        <Row gap={2}>
          <Link kind="text" href={addressOf('plan', { id: plan.id })}>
            <Text weight="bold">{plan.name}</Text>
          </Link>
          <Text size="sm" color="muted" code>
            {plan.code}
          </Text>
          {!plan.isPublic && <Badge>{common.hidden}</Badge>}
          {plan.consumptionModel !== null && plan.consumptionModel !== 'metered' && (
            <Badge tone="info">{common.models[plan.consumptionModel]}</Badge>
          )}
        </Row>
        <Text size="sm" color="muted">
          {featuresText(
            words,
            features.map(({ name }) => name),
          )}
        </Text>
      </Stack>
      <Row gap={4}>
        <Stack gap={0} align="end">
          {plan.isFree && <Text>{common.free}</Text>}
          {!plan.isFree && bases.length === 0 && <Badge tone="warning">{words.noPrice}</Badge>}
          {bases.map((price) => (
            <Text key={price.id} {...(price.isDefault ? {} : { color: 'muted', size: 'sm' })}>
              {perInterval(common, moneyText(price.price, 'usd', locale), price.billingInterval)}
            </Text>
          ))}
        </Stack>
        <Text color="muted">{words.subscribers({ count: plan.subscriptionCount })}</Text>
      </Row>
    </Row>
  );
}
