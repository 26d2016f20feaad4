import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { RadioGroup } from '../../../kit/choice.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { MoneyField, NumberField, RateField } from '../../../kit/number-field.tsx';
import { Select } from '../../../kit/select.tsx';
import { Text } from '../../../kit/text.tsx';
import type { FeatureKind } from '../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogSheet, DescriptionField, NameField } from '../parts/catalog-sheet.tsx';
import { ImpactNote } from '../parts/impact-note.tsx';
import { useCatalogEdit } from '../parts/use-catalog-edit.ts';
import {
  CatalogAddonCreateDocument,
  CatalogAddonDeleteDocument,
  type CatalogAddonsDocument,
  CatalogAddonUpdateDocument,
} from './page.graphql';

type Answer = ResultOf<typeof CatalogAddonsDocument>;
export type Addon = Answer['addons']['nodes'][number];
type Feature = Answer['features']['nodes'][number];
type AddonModel = Addon['consumptionModel'];

/** Returns the consumption models of the plans that can offer an add-on for a feature type. */
const modelsOf = (type: FeatureKind): readonly AddonModel[] => {
  if (type === 'boolean') return ['boolean'];
  return type === 'usage' ? ['boolean', 'metered', 'credits', 'balance'] : ['boolean', 'metered'];
};

type AddonSheetProps = {
  /** Add-on to edit. `null` to create an add-on. */
  readonly addon: Addon | null;
  readonly features: readonly Feature[];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that creates, edits or deletes an add-on. */
export function AddonSheet({ addon, features, onClose, onDone }: AddonSheetProps) {
  const words = useWords('addons');
  const common = useWords('catalog');
  const [name, setName] = useState(addon?.name ?? '');
  const [description, setDescription] = useState(addon?.description ?? '');
  const [basePrice, setPrice] = useState<number | null>(addon?.basePrice ?? null);
  const [featureId, setFeature] = useState<string | null>(null);
  const [chosenModel, setModel] = useState<AddonModel>(addon?.consumptionModel ?? 'boolean');
  const [includedUnits, setUnits] = useState(addon?.includedUnits ?? 0);
  const [overageRate, setRate] = useState(addon?.overageRate ?? null);
  const [creditCost, setCredits] = useState(addon?.creditCost ?? 1);
  const edit = useCatalogEdit(
    addon?.id ?? null,
    {
      create: CatalogAddonCreateDocument,
      update: CatalogAddonUpdateDocument,
      remove: CatalogAddonDeleteDocument,
    },
    onDone,
  );
  const feature = features.find(({ id }) => id === featureId);
  const models = modelsOf(feature?.type ?? 'boolean');
  const model = addon !== null || models.includes(chosenModel) ? chosenModel : 'boolean';
  const isMetered = model === 'metered';
  const hasRate = isMetered || model === 'balance';
  const unit = (addon?.feature.unitName ?? feature?.unitName) || words.unit;
  const save = () => {
    if (basePrice === null) return;
    const terms = {
      name,
      description,
      basePrice,
      ...(isMetered && { includedUnits }),
      ...(hasRate && { overageRate: overageRate ?? 0 }),
    };
    const made = {
      ...terms,
      consumptionModel: model,
      featureId: featureId ?? '',
      ...(model === 'credits' && { creditCost }),
    };
    void edit.save({ create: made, update: terms });
  };
  return (
    <CatalogSheet
      edit={edit}
      title={addon?.name ?? words.new}
      {...(addon !== null && { subtitle: <Copy value={addon.slug} /> })}
      create={words.create}
      deletion={{ title: words.deleteTitle({ name: addon?.name ?? '' }), texts: [words.deleteText] }}
      isReady={name.trim() !== '' && basePrice !== null && (addon !== null || feature !== undefined)}
      isChanged={name !== (addon?.name ?? '')}
      onSave={save}
      onClose={onClose}
    >
      <Stack gap={4}>
        <NameField value={name} onChange={setName} />
        {addon === null ? (
          <Select
            label={words.feature}
            help={words.featureHelp}
            value={featureId}
            onChange={setFeature}
            options={features.map(({ id, name: label, type }) => ({
              value: id,
              label,
              help: common.types[type],
            }))}
          />
        ) : (
          <Text color="muted">
            {words.sells({ feature: addon.featureName, model: words.models[addon.consumptionModel] })}
          </Text>
        )}
        {addon === null && feature !== undefined && models.length > 1 && (
          <RadioGroup
            label={words.model}
            value={model}
            onChange={(value) => setModel(value as AddonModel)}
            options={models.map((value) => ({
              value,
              label: words.models[value],
              help: words.modelTexts[value],
            }))}
          />
        )}
        <MoneyField
          label={words.price}
          help={words.priceHelp}
          name="basePrice"
          currency="usd"
          value={basePrice}
          onChange={setPrice}
        />
        {addon !== null && basePrice !== null && basePrice !== addon.basePrice && (
          <ImpactNote change={{ addonUpdate: { id: addon.id, basePrice } }} />
        )}
        {isMetered && (
          <NumberField
            label={words.included}
            value={includedUnits}
            minValue={0}
            onChange={(value) => setUnits(Number.isNaN(value) ? 0 : value)}
            after={unit}
          />
        )}
        {hasRate && (
          <RateField
            label={words.rate}
            name="overageRate"
            currency="usd"
            value={overageRate}
            onChange={setRate}
            after={words.per({ unit })}
          />
        )}
        {model === 'credits' && addon === null && (
          <NumberField
            label={words.credits}
            value={creditCost}
            minValue={1}
            onChange={(value) => setCredits(Number.isNaN(value) ? 1 : value)}
            after={words.per({ unit })}
          />
        )}
        <DescriptionField value={description} onChange={setDescription} />
        {addon !== null && <Text color="muted">{words.changeText}</Text>}
      </Stack>
    </CatalogSheet>
  );
}
