import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { useAction } from '../../../data/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Text } from '../../../kit/text.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { CatalogFeatureCreateDocument } from '../../../parts/catalog/commands.graphql';
import { useWords } from '../../../words/words.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { EditSheet } from '../parts/edit-sheet.tsx';
import { FeatureFields, noFeature } from '../parts/feature-form.tsx';
import {
  CatalogFeatureDeleteDocument,
  type CatalogFeaturesDocument,
  CatalogFeatureUpdateDocument,
} from './page.graphql';

const MeterSheet = lazyPart(() => import('./meter-sheet.tsx').then((module) => module.MeterSheet));

type Feature = ResultOf<typeof CatalogFeaturesDocument>['features']['nodes'][number];

/** Sheet that creates a feature. */
export function NewSheet({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
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
  /** Features whose events the feature can count. */
  readonly sources: readonly Feature[];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that changes or deletes a feature. Opens the form of a usage feature's meter. */
export function FeatureSheet({ feature, users, sources, onClose, onDone }: FeatureSheetProps) {
  const words = useWords('features');
  const common = useWords('catalog');
  const [update, { isRunning, error }] = useAction(CatalogFeatureUpdateDocument);
  const [isSettingMeter, setSettingMeter] = useState(false);
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
  if (isSettingMeter)
    return <MeterSheet feature={feature} sources={sources} onClose={() => setSettingMeter(false)} />;
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
        {type === 'usage' && (
          <Row justify="between">
            <Text>
              {words.meter.current({
                aggregation: words.meter.aggregations[feature.meter?.aggregation ?? 'sum'],
              })}
            </Text>
            <Button size="sm" onPress={() => setSettingMeter(true)}>
              {words.meter.change}
            </Button>
          </Row>
        )}
        {users !== null && (
          <Text color="muted">
            {users.length === 0 ? words.unused : words.usedBy({ names: users.join(', ') })}
          </Text>
        )}
      </Stack>
    </EditSheet>
  );
}
