// Catalog as a file: objects by natural keys, so that the same file applies to every environment.

/** Values of an object, by field. */
export type Fields = Readonly<Record<string, unknown>>;

/** Type of an object in the catalog. */
export type Kind =
  | 'feature'
  | 'plan_group'
  | 'plan'
  | 'price'
  | 'plan_feature'
  | 'plan_order'
  | 'addon'
  | 'credit_pack';

/** Fields of a type. Objects inside others have keys that start with the key of the outer object, such as `pro/monthly`. */
type Shape = {
  /** Fields that the file can contain. */
  readonly fields: readonly string[];
  /** Fields that a new object requires. */
  readonly required: readonly string[];
  /** Fields that can't be changed after creation. */
  readonly fixed: readonly string[];
  /** Fields whose values an update with `null` removes. */
  readonly removable: readonly string[];
};

/** Types in the order in which objects are created. They are removed in the reverse order. */
export const shapes: Readonly<Record<Kind, Shape>> = {
  feature: {
    fields: ['name', 'type', 'description', 'unitName'],
    required: ['name', 'type'],
    fixed: ['type'],
    removable: ['description', 'unitName'],
  },
  plan_group: { fields: ['description', 'isPublic'], required: [], fixed: [], removable: ['description'] },
  plan: {
    fields: [
      'name',
      'description',
      'consumptionModel',
      'isFree',
      'isPublic',
      'blockOnExhaustion',
      'metadata',
    ],
    required: ['name'],
    fixed: ['consumptionModel', 'isFree', 'blockOnExhaustion'],
    removable: ['description'],
  },
  price: {
    fields: [
      'price',
      'trialDays',
      'includedCredits',
      'includedBalance',
      'minimumSpend',
      'isDefault',
      'metadata',
    ],
    required: ['price'],
    fixed: [],
    removable: ['includedCredits', 'includedBalance', 'minimumSpend'],
  },
  plan_feature: {
    fields: ['enabled', 'includedAmount', 'unlimited', 'overage', 'creditsPerUnit', 'pricingMode', 'margin'],
    required: [],
    fixed: ['pricingMode', 'margin'],
    removable: [],
  },
  plan_order: { fields: ['plans'], required: ['plans'], fixed: [], removable: [] },
  addon: {
    fields: [
      'name',
      'description',
      'basePrice',
      'consumptionModel',
      'includedUnits',
      'overageRate',
      'creditCost',
    ],
    required: ['name', 'basePrice', 'consumptionModel'],
    fixed: ['consumptionModel', 'creditCost'],
    removable: ['description'],
  },
  credit_pack: {
    fields: ['description', 'credits', 'asset', 'price', 'isActive', 'validDays', 'refundTakesBack'],
    required: ['credits', 'price'],
    fixed: ['asset'],
    removable: ['description', 'validDays'],
  },
};

export const kinds = Object.keys(shapes) as readonly Kind[];

/** Object of the catalog. */
export type Item = { readonly kind: Kind; readonly key: string; readonly fields: Fields };

/** Name of an object in output and in maps, such as `price pro/monthly`. */
export const nameOf = ({ kind, key }: Pick<Item, 'kind' | 'key'>): string => `${kind} ${key}`;

/** Document of a catalog file. */
export type CatalogFile = { readonly version: 1 } & Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sections of a catalog file with the types of their objects. */
const sections = {
  features: 'feature',
  planGroups: 'plan_group',
  plans: 'plan',
  addons: 'addon',
  creditPacks: 'credit_pack',
} as const satisfies Readonly<Record<string, Kind>>;

type Section = keyof typeof sections;

/** Objects inside the objects of a section, by the name of the member that contains them. */
const parts: Readonly<Partial<Record<Section, Readonly<Record<string, Kind>>>>> = {
  plans: { prices: 'price', features: 'plan_feature' },
};

/** Returns a copy whose properties are sorted, so that equal values have equal JSON. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** Reads the objects of a section, and adds a text to `issues` for each mistake. */
function itemsIn(section: Section, content: unknown, issues: string[]): Item[] {
  if (!isRecord(content)) {
    issues.push(`${section} must be an object.`);
    return [];
  }
  return Object.entries(content).flatMap(([key, value]): Item[] => {
    if (!isRecord(value)) {
      issues.push(`${section}.${key} must be an object.`);
      return [];
    }
    const kind = sections[section];
    const inner = parts[section] ?? {};
    const { plans, ...own } = section === 'planGroups' ? value : { ...value, plans: undefined };
    const fields = Object.fromEntries(
      Object.entries(own).filter(([name, member]) => !(name in inner) && member !== undefined),
    );
    const found: Item[] = [{ kind, key, fields }];
    if (plans !== undefined) {
      if (Array.isArray(plans)) found.push({ kind: 'plan_order', key, fields: { plans } });
      else issues.push(`${section}.${key}.plans must be a list of plan codes.`);
    }
    for (const [member, innerKind] of Object.entries(inner)) {
      const objects = value[member] ?? {};
      for (const [innerKey, object] of isRecord(objects) ? Object.entries(objects) : [['', null] as const])
        if (isRecord(object)) found.push({ kind: innerKind, key: `${key}/${innerKey}`, fields: object });
        else issues.push(`${section}.${key}.${member} must contain objects.`);
    }
    return found;
  });
}

/** Reads the objects of a catalog file. `issues` contains a text for each mistake. */
export function itemsOf(file: unknown): {
  readonly items: readonly Item[];
  readonly issues: readonly string[];
} {
  if (!isRecord(file) || file['version'] !== 1)
    return { items: [], issues: ['The file must contain an object with "version": 1.'] };
  const issues: string[] = [];
  const { version: _version, ...content } = file;
  const items = Object.entries(content).flatMap(([section, objects]) => {
    if (Object.hasOwn(sections, section)) return itemsIn(section as Section, objects, issues);
    issues.push(`${section} isn't a section. Sections: ${Object.keys(sections).join(', ')}.`);
    return [];
  });
  for (const item of items) {
    const { fields: known } = shapes[item.kind];
    for (const field of Object.keys(item.fields))
      if (!known.includes(field)) issues.push(`${nameOf(item)} can't have the field ${field}.`);
  }
  return { items, issues };
}

/**
 * Returns the fields that a file needs, so that a push to another environment makes its object equal. Defaults are included, because a push
 * changes only the fields in the file. `null` is included if a push can remove the value. Only metered add-ons have included units.
 */
const written = ({ kind, fields }: Item): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) =>
      value === null
        ? shapes[kind].removable.includes(name)
        : kind !== 'addon' || name !== 'includedUnits' || fields['consumptionModel'] === 'metered',
    ),
  );

/** Returns the file of a catalog. */
export function fileOf(items: readonly Item[]): CatalogFile {
  const objectsOf = (kind: Kind) => items.filter((item) => item.kind === kind);
  const orders = new Map(objectsOf('plan_order').map(({ key, fields }) => [key, fields]));
  /** Returns the objects inside an object, by the last part of their keys. */
  const inside = (kind: Kind, outer: string): Readonly<Record<string, Fields>> =>
    Object.fromEntries(
      objectsOf(kind)
        .filter(({ key }) => key.startsWith(`${outer}/`))
        .map((item) => [item.key.slice(outer.length + 1), written(item)]),
    );
  const membersOf = (section: Section, key: string): Fields => ({
    ...(section === 'planGroups' ? orders.get(key) : {}),
    ...Object.fromEntries(
      Object.entries(parts[section] ?? {}).map(([member, kind]) => [member, inside(kind, key)]),
    ),
  });
  const content = Object.entries(sections).map(([section, kind]) => [
    section,
    Object.fromEntries(
      objectsOf(kind).map((item) => [
        item.key,
        { ...written(item), ...membersOf(section as Section, item.key) },
      ]),
    ),
  ]);
  return { version: 1, ...Object.fromEntries(content) };
}
