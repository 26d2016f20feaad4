import type { ResultOf } from '../../../../ui/documents.ts';
import { useAction } from '../../../data/hooks.ts';
import { Callout } from '../../../kit/callout.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { FormGrid } from '../../../kit/form.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { NumberField } from '../../../kit/number-field.tsx';
import { Select } from '../../../kit/select.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { type Draft, useDraft } from '../../../kit/use-draft.ts';
import { wholeOrNull } from '../../../kit/whole-number.ts';
import { DecimalField } from '../../../parts/catalog/decimal-field.tsx';
import { notify } from '../../../shell/notices.ts';
import { useWords } from '../../../words/words.ts';
import { EditSheet } from '../parts/edit-sheet.tsx';
import { ImpactNote } from '../parts/impact-note.tsx';
import {
  type Aggregation,
  addsOnlyDimensions,
  aggregations,
  type BucketAggregation,
  bucketAggregations,
  bucketEvery,
  draftOfMeter,
  fieldsOf,
  isMeterReady,
  type MeterDraft,
  meterInput,
} from './meter-draft.ts';
import { MeterDimensions, MeterFilters } from './meter-parts.tsx';
import { MeterPreview } from './meter-preview.tsx';
import { CatalogFeatureMeterSetDocument, type CatalogFeaturesDocument } from './page.graphql';

type FieldsProps = Pick<Draft<MeterDraft>, 'values' | 'change' | 'field'>;

/** Fields for the length of the buckets and their aggregation. */
function BucketFields({ values, change }: Omit<FieldsProps, 'field'>) {
  const { meter: words } = useWords('features');
  const fields = fieldsOf(values);
  const lengths = fields.requiresBucket ? (['hour', 'day'] as const) : (['none', 'hour', 'day'] as const);
  return (
    <FormGrid>
      <Select
        name="bucket"
        label={words.bucket}
        help={words.bucketHelp}
        value={bucketEvery(values)}
        onChange={(every) => change({ every: every as MeterDraft['every'] })}
        options={lengths.map((value) => ({ value, label: words.buckets[value] }))}
      />
      {fields.bucketAggregation && (
        <Select
          name="bucket.aggregation"
          label={words.bucketAggregation}
          value={values.bucketAggregation}
          onChange={(name) => change({ bucketAggregation: name as BucketAggregation })}
          options={bucketAggregations.map((value) => ({ value, label: words.aggregations[value] }))}
        />
      )}
    </FormGrid>
  );
}

/** Fields for the quantity of each event. */
function QuantityFields({ values, change, field }: FieldsProps) {
  const { meter: words } = useWords('features');
  const fields = fieldsOf(values);
  return (
    <>
      {fields.property && (
        <TextField
          name="property"
          label={words.property}
          help={fields.requiresProperty ? words.uniqueHelp : words.propertyHelp}
          isOptional={!fields.requiresProperty}
          {...field('property')}
          maxLength={200}
          code
        />
      )}
      {fields.decimals && (
        <NumberField
          name="decimals"
          label={words.decimals}
          help={words.decimalsHelp({ count: String(fields.defaultDecimals) })}
          isOptional
          value={values.decimals ?? Number.NaN}
          onChange={(decimals) => change({ decimals: wholeOrNull(decimals) })}
          minValue={0}
          maxValue={9}
        />
      )}
      {fields.rounding && (
        <FormGrid>
          <DecimalField name="step" label={words.step} help={words.stepHelp} isOptional {...field('step')} />
          <DecimalField
            name="minimumPerEvent"
            label={words.minimumPerEvent}
            help={words.minimumPerEventHelp}
            isOptional
            {...field('minimumPerEvent')}
          />
        </FormGrid>
      )}
    </>
  );
}

type Feature = ResultOf<typeof CatalogFeaturesDocument>['features']['nodes'][number];

/** Field for the feature whose events are counted. Missing if there is no other usage feature. */
function SourceField({
  values,
  change,
  sources,
}: Omit<FieldsProps, 'field'> & Pick<MeterSheetProps, 'sources'>) {
  const { meter: words } = useWords('features');
  if (sources.length === 0) return null;
  return (
    <Select
      name="source"
      label={words.source}
      help={words.sourceHelp}
      value={values.source}
      onChange={(source) => change({ source })}
      options={[
        { value: '', label: words.ownEvents },
        ...sources.map(({ code, name }) => ({ value: code, label: name })),
      ]}
    />
  );
}

type MeterSheetProps = {
  readonly feature: Feature;
  /** Features whose events the feature can count. */
  readonly sources: readonly Feature[];
  readonly onClose: () => void;
};

/** Sheet that sets the meter of a usage feature. Contains only the fields that the aggregation allows. */
export function MeterSheet({ feature, sources, onClose }: MeterSheetProps) {
  const { meter: words } = useWords('features');
  const { verbs } = useWords('catalog');
  const [set, saving] = useAction(CatalogFeatureMeterSetDocument);
  const stored = draftOfMeter(feature.meter);
  const draft = useDraft(stored, {
    isReady: isMeterReady,
    needsChange: true,
    send: (values) => {
      const recount = values.recount && addsOnlyDimensions(stored, values);
      return set({ input: { ...meterInput(feature.code, values), ...(recount && { recount }) } });
    },
    onDone: () => {
      notify(words.saved);
      onClose();
    },
  });
  const { values, change, field } = draft;
  const fields = fieldsOf(values);
  return (
    <EditSheet
      title={words.title({ feature: feature.name })}
      save={verbs.save}
      {...saving}
      draft={draft}
      onClose={onClose}
    >
      <Stack gap={4}>
        <Callout tone="info">{words.takesEffect}</Callout>
        <Select
          name="aggregation"
          label={words.aggregation}
          help={words.aggregationTexts[values.aggregation]}
          value={values.aggregation}
          onChange={(name) => change({ aggregation: name as Aggregation })}
          options={aggregations.map((value) => ({ value, label: words.aggregations[value] }))}
        />
        {fields.percentile && (
          <NumberField
            name="percentile"
            label={words.percentile}
            help={words.percentileHelp}
            value={values.percentile ?? Number.NaN}
            onChange={(percentile) => change({ percentile: wholeOrNull(percentile) })}
            minValue={1}
            maxValue={100}
          />
        )}
        {fields.bucket && <BucketFields values={values} change={change} />}
        {fields.persists && (
          <Checkbox
            name="persists"
            help={words.persistsHelp}
            isSelected={values.persists}
            onChange={(persists) => change({ persists })}
          >
            {words.persists}
          </Checkbox>
        )}
        <QuantityFields values={values} change={change} field={field} />
        {fields.dimensions && (
          <MeterDimensions parts={values.dimensions} onChange={(dimensions) => change({ dimensions })} />
        )}
        <SourceField values={values} change={change} sources={sources} />
        <MeterFilters parts={values.filters} onChange={(filters) => change({ filters })} />
        {addsOnlyDimensions(stored, values) && (
          <Checkbox
            name="recount"
            help={words.recountHelp}
            isSelected={values.recount}
            onChange={(recount) => change({ recount })}
          >
            {words.recount}
          </Checkbox>
        )}
        <MeterPreview input={isMeterReady(values) ? meterInput(feature.code, values) : null} />
        {draft.isChanged && isMeterReady(values) && (
          <ImpactNote change={{ featureMeterSet: meterInput(feature.code, values) }} />
        )}
      </Stack>
    </EditSheet>
  );
}
