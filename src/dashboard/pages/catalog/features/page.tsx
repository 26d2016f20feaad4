import type { ResultOf } from '../../../../ui/documents.ts';
import { addressOf } from '../../../address.ts';
import { useAction, useData } from '../../../data/hooks.ts';
import { Copy } from '../../../kit/copy.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { Text } from '../../../kit/text.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { CatalogFeatureCreateDocument } from '../../../parts/catalog/commands.graphql';
import { useAllWords } from '../../../parts/catalog/use-all-words.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { EditSheet } from '../parts/edit-sheet.tsx';
import { FeatureFields, noFeature } from '../parts/feature-form.tsx';
import { useOpenObject } from '../parts/use-catalog-page.ts';
import {
  CatalogFeatureDeleteDocument,
  CatalogFeaturesDocument,
  CatalogFeatureUpdateDocument,
  CatalogFeatureUseDocument,
} from './page.graphql';

type Feature = ResultOf<typeof CatalogFeaturesDocument>['features']['nodes'][number];

function NewSheet({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const words = useWords('features');
  const [create, { isRunning, error }] = useAction(CatalogFeatureCreateDocument);
  const draft = useDraft(noFeature, {
    send: (value) => create({ input: { ...value, unitName: value.unitName || null } }),
    onDone,
  });
  return (
    <EditSheet
      title={words.new}
      save={words.create}
      draft={draft}
      onClose={onClose}
      isRunning={isRunning}
      error={error}
    >
      <FeatureFields value={draft.values} onChange={draft.change} />
    </EditSheet>
  );
}

type FeatureSheetProps = {
  readonly feature: Feature;
  /** Names of the plans and add-ons that contain the feature. `null` while loading. */
  readonly users: readonly string[] | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function FeatureSheet({ feature, users, onClose, onDone }: FeatureSheetProps) {
  const words = useWords('features');
  const common = useWords('catalog');
  const [update, { isRunning, error }] = useAction(CatalogFeatureUpdateDocument);
  const { name, code, type } = feature;
  const draft = useDraft(
    { name, code, type, unitName: feature.unitName ?? '', description: feature.description ?? '' },
    {
      needsChange: true,
      send: (values) =>
        update({
          input: {
            code,
            name: values.name,
            unitName: values.unitName || null,
            description: values.description || null,
          },
        }),
      onDone,
    },
  );
  return (
    <EditSheet
      title={feature.name}
      subtitle={<Copy value={feature.code} />}
      save={common.verbs.save}
      draft={draft}
      onClose={onClose}
      isRunning={isRunning}
      error={error}
      others={
        <DeleteButton
          document={CatalogFeatureDeleteDocument}
          input={{ code: feature.code }}
          title={words.deleteTitle({ name: feature.name })}
          texts={[words.deleteText]}
          isDisabled={users === null || users.length > 0}
          onDone={() => {
            draft.reset();
            onDone();
          }}
        />
      }
    >
      <Stack gap={4}>
        <FeatureFields value={draft.values} onChange={draft.change} isStored />
        {users !== null && (
          <Text color="muted">
            {users.length === 0 ? words.unused : words.usedBy({ names: users.join(', ') })}
          </Text>
        )}
      </Stack>
    </EditSheet>
  );
}

const areas = ['features', 'catalog', 'titles'] as const;

/** Lists all features with the plans and add-ons that contain them. */
export default function FeaturesPage() {
  useAllWords(areas);
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
          onClose={() => setOpen(null)}
          onDone={done}
        />
      )}
    </CatalogList>
  );
}
