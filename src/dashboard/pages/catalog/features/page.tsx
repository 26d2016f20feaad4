import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Copy } from '../../../kit/copy.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { Text } from '../../../kit/text.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { useOpenObject } from '../parts/use-catalog-page.ts';
import { CatalogFeaturesDocument, CatalogFeatureUseDocument } from './page.graphql';

const NewSheet = lazyPart(() => import('./sheets.tsx').then((module) => module.NewSheet));
const FeatureSheet = lazyPart(() => import('./sheets.tsx').then((module) => module.FeatureSheet));

/** Lists all features with the plans and add-ons that contain them. */
export default function FeaturesPage() {
  const title = useWords('titles').features;
  const words = useWords('features');
  const common = useWords('catalog');
  const data = useData(CatalogFeaturesDocument, {});
  const use = useData(CatalogFeatureUseDocument, {});
  const [open, setOpen] = useOpenObject();
  const rows = data.data?.features.nodes ?? [];
  const usersOf = (code: string): string[] | null =>
    use.data === null
      ? null
      : [
          ...use.data.plans.nodes.filter((plan) => plan.features.some((one) => one.code === code)),
          ...use.data.addons.nodes.filter(({ featureCode }) => featureCode === code),
        ].map(({ name }) => name);
  const opened = rows.find(({ id }) => id === open);
  const done = () => {
    setOpen(null);
    data.refetch();
  };
  return (
    <CatalogList
      name="features"
      title={title}
      text={words.text}
      empty={words.empty}
      make={{ label: words.new, onPress: () => setOpen('new') }}
      data={data}
      rows={rows}
      rowKey={({ id }) => id}
      textOf={({ name, code, description }) => `${name} ${code} ${description ?? ''}`}
      columns={[
        {
          id: 'name',
          title: common.name,
          cell: ({ id, name }) => <Link href={addressOf('features', null, { open: id })}>{name}</Link>,
        },
        { id: 'code', title: common.code, priority: 'secondary', cell: ({ code }) => <Copy value={code} /> },
        { id: 'type', title: words.type, cell: ({ type }) => common.types[type] },
        {
          id: 'use',
          title: words.usedIn,
          align: 'end',
          cell: ({ code }) => {
            const users = usersOf(code);
            if (users === null) return null;
            return users.length === 0 ? (
              <Text color="faint">{words.unused}</Text>
            ) : (
              words.plans({ count: users.length })
            );
          },
        },
      ]}
    >
      {open === 'new' && <NewSheet onClose={() => setOpen(null)} onDone={done} />}
      {opened !== undefined && (
        <FeatureSheet
          key={opened.id}
          feature={opened}
          users={usersOf(opened.code)}
          sources={rows.filter(
            ({ id, type, meter }) => id !== opened.id && type === 'usage' && (meter?.source ?? null) === null,
          )}
          onClose={() => setOpen(null)}
          onDone={done}
        />
      )}
    </CatalogList>
  );
}
