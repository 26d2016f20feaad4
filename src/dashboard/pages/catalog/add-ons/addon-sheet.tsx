import type { ResultOf } from '../../../../ui/documents.ts';
import { useAction } from '../../../data/hooks.ts';
import { RadioGroup } from '../../../kit/choice.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { MoneyField, NumberField } from '../../../kit/number-field.tsx';
import { Select } from '../../../kit/select.tsx';
import { Text } from '../../../kit/text.tsx';
import type { FeatureKind } from '../../../parts/catalog/model/plan-draft.ts';
import { isValidRate, rateDraftOf, rateInputOf } from '../../../parts/catalog/model/rate-draft.ts';
import { rateOfPrice } from '../../../parts/catalog/model/rate-table.ts';
import { sameJson } from '../../../parts/catalog/model/step.ts';
import { type EditedPrice, RateEditor } from '../../../parts/catalog/rate-editor.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogSheet, DescriptionField, NameField } from '../parts/catalog-sheet.tsx';
import { ImpactNote } from '../parts/impact-note.tsx';
import { useCatalogEdit } from '../parts/use-catalog-edit.ts';
import {
  CatalogAddonCreateDocument,
  CatalogAddonDeleteDocument,
  CatalogAddonRateSetDocument,
  type CatalogAddonsDocument,
  CatalogAddonUpdateDocument,
} from './page.graphql';

type Answer = ResultOf<typeof CatalogAddonsDocument>;
type Addon = Answer['addons']['nodes'][number];
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
} & EditedPrice;

/** Returns the pool from which usage is deducted. `null` if units are invoiced. */
const poolOf = (model: AddonModel): 'credits' | 'balance' | null =>
  model === 'credits' || model === 'balance' ? model : null;

const valuesOf = (addon: Addon | null): Values => ({
  name: addon?.name ?? '',
  description: addon?.description ?? '',
  basePrice: addon?.basePrice ?? null,
  featureId: addon?.feature.id ?? null,
  model: addon?.consumptionModel ?? 'boolean',
  includedUnits: addon?.includedUnits ?? 0,
  unitPrice: addon?.creditCost ?? addon?.overageRate ?? null,
  rate: addon?.rate == null ? null : rateDraftOf(addon.rate),
});

/** Converts the values of the form to mutation inputs. Each model has its own terms. */
function inputOf(values: Values, model: AddonModel) {
  const { name, description, basePrice, featureId, includedUnits, unitPrice } = values;
  const update = {
    name,
    description,
    basePrice: basePrice ?? 0,
    ...(model === 'metered' && { includedUnits }),
  };
  const create = {
    ...update,
    consumptionModel: model,
    featureId: featureId ?? '',
    ...((model === 'metered' || model === 'balance') && { overageRate: unitPrice ?? 0 }),
    ...(model === 'credits' && { creditCost: unitPrice ?? 1 }),
  };
  return { create, update };
}

/** Returns the rate of the form as input for the service. A price per unit is a rate with one tier. */
const rateInput = ({ rate, unitPrice }: EditedPrice, model: AddonModel) =>
  rateInputOf(rate ?? rateOfPrice('per_unit', unitPrice ?? 0, model === 'credits' ? 0 : 4));

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
  /** Returns the number of decimals of the feature's meter. */
  const decimalsOf = (id: string | null): number => (addon?.feature ?? featureOf(id))?.meter?.decimals ?? 0;
  const [setRate, saving] = useAction(CatalogAddonRateSetDocument);
  const edit = useCatalogEdit(addon?.id ?? null, {
    create: CatalogAddonCreateDocument,
    update: CatalogAddonUpdateDocument,
    remove: CatalogAddonDeleteDocument,
    stored: valuesOf(addon),
    isReady: ({ name, basePrice, featureId, rate }) =>
      name.trim() !== '' &&
      basePrice !== null &&
      (addon !== null || featureId !== null) &&
      (rate === null || isValidRate(rate, decimalsOf(featureId))),
    inputOf: (values) => inputOf(values, modelOf(values)),
    part: {
      saving,
      idOf: ({ addonCreate }) => addonCreate.id,
      send: (id, values) => {
        // The creation of an add-on sets its price per unit.
        if (addon === null && values.rate === null) return null;
        const { unitPrice, rate } = valuesOf(addon);
        return sameJson({ unitPrice, rate }, { unitPrice: values.unitPrice, rate: values.rate })
          ? null
          : setRate({ input: { id, rate: rateInput(values, modelOf(values)) } });
      },
    },
    onDone,
  });
  const { values, change, field } = edit.draft;
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
        <NameField {...field('name')} />
        {addon === null ? (
          <Select
            label={words.feature}
            help={words.featureHelp}
            value={values.featureId}
            onChange={(featureId) => change({ featureId, rate: null })}
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
            onChange={(value) => change({ model: value as AddonModel, rate: null })}
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
          {...field('basePrice')}
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
        {model !== 'boolean' && (
          <RateEditor
            price={values}
            unit={unit}
            decimals={decimalsOf(values.featureId)}
            pool={poolOf(model)}
            onChange={change}
          />
        )}
        <DescriptionField {...field('description')} />
        {addon !== null && <Text color="muted">{words.changeText}</Text>}
      </Stack>
    </CatalogSheet>
  );
}
