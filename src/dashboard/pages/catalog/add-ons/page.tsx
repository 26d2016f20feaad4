import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Badge } from '../../../kit/badge.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { Text } from '../../../kit/text.tsx';
import { Money, Rate } from '../../../kit/values.tsx';
import { rateDraftOf } from '../../../parts/catalog/model/rate-draft.ts';
import { rateSummary } from '../../../parts/catalog/rate-summary.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { useCatalogPage } from '../parts/use-catalog-page.ts';
import { CatalogAddonsDocument } from './page.graphql';

const AddonSheet = lazyPart(() => import('./addon-sheet.tsx').then((module) => module.AddonSheet));

export default function AddonsPage() {
  const words = useWords('addons');
  const plan = useWords('plan');
  const common = useWords('catalog');
  const data = useData(CatalogAddonsDocument, {});
  const rows = data.data?.addons.nodes ?? [];
  const sold = new Set(rows.map(({ featureCode }) => featureCode));
  const features = (data.data?.features.nodes ?? []).filter(({ code }) => !sold.has(code));
  const { list, opened, ends } = useCatalogPage('addons', words, data, rows);
  return (
    <CatalogList
      {...list}
      textOf={({ name, slug, featureName }) => `${name} ${slug} ${featureName}`}
      columns={[
        {
          id: 'name',
          title: common.name,
          cell: ({ id, name }) => <Link href={addressOf('addons', null, { open: id })}>{name}</Link>,
        },
        {
          id: 'feature',
          title: words.feature,
          priority: 'secondary',
          cell: ({ featureName }) => featureName,
        },
        {
          id: 'model',
          title: words.model,
          priority: 'secondary',
          cell: ({ consumptionModel }) => <Badge>{words.models[consumptionModel]}</Badge>,
        },
        {
          id: 'price',
          title: words.price,
          align: 'end',
          cell: ({ basePrice }) => <Money minor={basePrice} currency="usd" />,
        },
        {
          id: 'rate',
          title: words.rate,
          align: 'end',
          cell: ({ overageRate, creditCost, rate, feature }) => {
            if (rate !== null) return rateSummary(plan.rate, rateDraftOf(rate));
            if (creditCost !== null) return words.creditCount({ count: creditCost });
            if (overageRate === null) return <Text color="faint">–</Text>;
            return <Rate rate={overageRate} currency="usd" per={feature.unitName ?? words.unit} />;
          },
        },
      ]}
    >
      {opened !== undefined && <AddonSheet key={opened?.id} addon={opened} features={features} {...ends} />}
    </CatalogList>
  );
}
