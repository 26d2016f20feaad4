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

type Values = {
  readonly name: string;
  readonly description: string;
  readonly basePrice: number | null;
  readonly featureId: string | null;
  readonly model: AddonModel;
  readonly includedUnits: number;
  readonly overageRate: number | null;
  readonly creditCost: number;
};

const hasRate = (model: AddonModel): boolean => model === 'metered' || model === 'balance';

const valuesOf = (addon: Addon | null): Values => ({
  name: addon?.name ?? '',
  description: addon?.description ?? '',
  basePrice: addon?.basePrice ?? null,
  featureId: addon?.feature.id ?? null,
  model: addon?.consumptionModel ?? 'boolean',
  includedUnits: addon?.includedUnits ?? 0,
  overageRate: addon?.overageRate ?? null,
  creditCost: addon?.creditCost ?? 1,
});

/** Converts the values of the form to mutation inputs. Each model has its own terms. */
function inputOf(values: Values, model: AddonModel) {
  const { name, description, basePrice, featureId, includedUnits, overageRate, creditCost } = values;
  const update = {
    name,
    description,
    basePrice: basePrice ?? 0,
    ...(model === 'metered' && { includedUnits }),
    ...(hasRate(model) && { overageRate: overageRate ?? 0 }),
  };
  const create = {
    ...update,
    consumptionModel: model,
    featureId: featureId ?? '',
    ...(model === 'credits' && { creditCost }),
  };
  return { create, update };
}

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
  const featureOf = (id: string | null) => features.find((one) => one.id === id);
  /** Returns the model of the add-on: the selected model if the feature allows it, otherwise `boolean`. */
  const modelOf = ({ featureId, model }: Values): AddonModel =>
    addon !== null || modelsOf(featureOf(featureId)?.type ?? 'boolean').includes(model) ? model : 'boolean';
  const edit = useCatalogEdit(addon?.id ?? null, {
    create: CatalogAddonCreateDocument,
    update: CatalogAddonUpdateDocument,
    remove: CatalogAddonDeleteDocument,
    stored: valuesOf(addon),
    isReady: ({ name, basePrice, featureId }) =>
      name.trim() !== '' && basePrice !== null && (addon !== null || featureId !== null),
    inputOf: (values) => inputOf(values, modelOf(values)),
    onDone,
  });
  const { values, change } = edit.draft;
  const feature = featureOf(values.featureId);
  const models = modelsOf(feature?.type ?? 'boolean');
  const model = modelOf(values);
  const unit = (addon?.feature.unitName ?? feature?.unitName) || words.unit;
  return (
    <CatalogSheet
      edit={edit}
      title={addon?.name ?? words.new}
      {...(addon !== null && { subtitle: <Copy value={addon.slug} /> })}
      create={words.create}
      deletion={{ title: words.deleteTitle({ name: addon?.name ?? '' }), texts: [words.deleteText] }}
      onClose={onClose}
    >
      <Stack gap={4}>
        <NameField value={values.name} onChange={(name) => change({ name })} />
        {addon === null ? (
          <Select
            label={words.feature}
            help={words.featureHelp}
            value={values.featureId}
            onChange={(featureId) => change({ featureId })}
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
            onChange={(value) => change({ model: value as AddonModel })}
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
          value={values.basePrice}
          onChange={(basePrice) => change({ basePrice })}
        />
        {addon !== null && values.basePrice !== null && values.basePrice !== addon.basePrice && (
          <ImpactNote change={{ addonUpdate: { id: addon.id, basePrice: values.basePrice } }} />
        )}
        {model === 'metered' && (
          <NumberField
            label={words.included}
            value={values.includedUnits}
            minValue={0}
            onChange={(value) => change({ includedUnits: Number.isNaN(value) ? 0 : value })}
            after={unit}
          />
        )}
        {hasRate(model) && (
          <RateField
            label={words.rate}
            name="overageRate"
            currency="usd"
            value={values.overageRate}
            onChange={(overageRate) => change({ overageRate })}
            after={words.per({ unit })}
          />
        )}
        {model === 'credits' && addon === null && (
          <NumberField
            label={words.credits}
            value={values.creditCost}
            minValue={1}
            onChange={(value) => change({ creditCost: Number.isNaN(value) ? 1 : value })}
            after={words.per({ unit })}
          />
        )}
        <DescriptionField value={values.description} onChange={(description) => change({ description })} />
        {addon !== null && <Text color="muted">{words.changeText}</Text>}
      </Stack>
    </CatalogSheet>
  );
}
