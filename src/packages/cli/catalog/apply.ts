import type { Quittance } from '../../sdk/index.ts';
import type { Change } from './compare.ts';
import type { Fields, Kind } from './document.ts';
import type { Stored } from './read.ts';

// Requests that make changes to a catalog, and requests for their impact.

type Options = { readonly dryRun?: true };

/** Access to the client and to the IDs of objects. New objects are added to the IDs. */
export type Target = { readonly client: Quittance; readonly ids: Stored['ids'] };

type Made = { readonly id: string };

/** Requests for the objects of a type. */
type Requests = {
  readonly create: (target: Target, key: string, fields: Fields, options: Options) => Promise<unknown>;
  readonly update: (target: Target, key: string, fields: Fields, options: Options) => Promise<unknown>;
  readonly remove: (target: Target, key: string, options: Options) => Promise<unknown>;
};

function idOf({ ids }: Target, kind: Kind, key: string): string {
  const id = ids.get(`${kind} ${key}`);
  if (id === undefined) throw new Error(`The ID of ${kind} ${key} is missing.`);
  return id;
}

const planOf = (target: Target, key: string): string => idOf(target, 'plan', key.split('/')[0] ?? '');
const lastOf = (key: string): string => key.slice(key.indexOf('/') + 1);
const featureOf = (target: Target, key: string): string => idOf(target, 'feature', lastOf(key));

/** Sends the fields of a change, which the service validates. */
const send = <T>(fields: Fields): T => fields as T;

/** Puts the plans of a group into the order of the file. */
async function orderPlans(target: Target, key: string, fields: Fields, options: Options): Promise<void> {
  const { planGroups } = target.client;
  const id = idOf(target, 'plan_group', key);
  const { plans: current } = await planGroups.get(id);
  const wanted = (fields['plans'] as readonly string[]).map((code) => idOf(target, 'plan', code));
  for (const { id: planId } of current)
    if (!wanted.includes(planId)) await planGroups.planRemove(id, planId, options);
  for (const planId of wanted)
    if (!current.some((plan) => plan.id === planId)) await planGroups.planAdd(id, { planId }, options);
  // A dry run didn't add the plans, so the group doesn't have all plans to order.
  if (wanted.length > 1 && options.dryRun !== true)
    await planGroups.reorder(id, { planIds: wanted }, options);
}

const requests: Readonly<Record<Kind, Requests>> = {
  feature: {
    create: ({ client }, code, fields, options) => client.features.create(send({ ...fields, code }), options),
    update: ({ client }, code, fields, options) => client.features.update(code, send(fields), options),
    remove: ({ client }, code, options) => client.features.delete(code, options),
  },
  plan_group: {
    create: ({ client }, name, fields, options) =>
      client.planGroups.create(send({ ...fields, name }), options),
    update: (target, key, fields, options) =>
      target.client.planGroups.update(idOf(target, 'plan_group', key), send(fields), options),
    remove: (target, key, options) =>
      target.client.planGroups.delete(idOf(target, 'plan_group', key), options),
  },
  plan: {
    create: ({ client }, code, fields, options) => client.plans.create(send({ ...fields, code }), options),
    update: (target, key, fields, options) =>
      target.client.plans.update(idOf(target, 'plan', key), send(fields), options),
    remove: (target, key, options) => target.client.plans.delete(idOf(target, 'plan', key), options),
  },
  price: {
    create: (target, key, fields, options) =>
      target.client.plans.priceAdd(
        planOf(target, key),
        send({ ...fields, billingInterval: lastOf(key) }),
        options,
      ),
    update: (target, key, fields, options) =>
      target.client.plans.priceUpdate(planOf(target, key), idOf(target, 'price', key), send(fields), options),
    remove: (target, key, options) =>
      target.client.plans.priceArchive(planOf(target, key), idOf(target, 'price', key), options),
  },
  plan_feature: {
    create: (target, key, fields, options) =>
      target.client.plans.featureAdd(
        planOf(target, key),
        send({ ...fields, featureId: featureOf(target, key) }),
        options,
      ),
    update: (target, key, fields, options) =>
      target.client.plans.featureUpdate(planOf(target, key), featureOf(target, key), send(fields), options),
    remove: (target, key, options) =>
      target.client.plans.featureRemove(planOf(target, key), featureOf(target, key), options),
  },
  plan_order: {
    create: orderPlans,
    update: orderPlans,
    remove: () => Promise.resolve(),
  },
  addon: {
    create: (target, key, fields, options) =>
      target.client.addons.create(send({ ...fields, featureId: idOf(target, 'feature', key) }), options),
    update: (target, key, fields, options) =>
      target.client.addons.update(idOf(target, 'addon', key), send(fields), options),
    remove: (target, key, options) => target.client.addons.delete(idOf(target, 'addon', key), options),
  },
  credit_pack: {
    create: ({ client }, name, fields, options) =>
      client.creditPacks.create(send({ ...fields, name }), options),
    update: (target, key, fields, options) =>
      target.client.creditPacks.update(idOf(target, 'credit_pack', key), send(fields), options),
    remove: (target, key, options) =>
      target.client.creditPacks.delete(idOf(target, 'credit_pack', key), options),
  },
};

/** Makes a change. With `dryRun`, the service validates the change without making it. */
export async function applyChange(target: Target, change: Change, options: Options = {}): Promise<void> {
  const { kind, key } = change;
  if (change.change === 'remove') await requests[kind].remove(target, key, options);
  else if (change.change === 'update') await requests[kind].update(target, key, change.fields, options);
  else {
    const made = (await requests[kind].create(target, key, change.fields, options)) as
      | Partial<Made>
      | undefined;
    if (options.dryRun !== true && typeof made?.id === 'string') target.ids.set(`${kind} ${key}`, made.id);
  }
}

/** Returns true if a change can be validated before the other changes, because all objects that it names exist. */
export function isCheckable({ ids }: Target, { change, kind, key, ...rest }: Change): boolean {
  if (change !== 'create' && kind !== 'plan_order') return true;
  const [outer = '', inner = ''] = key.split('/');
  if (kind === 'price') return ids.has(`plan ${outer}`);
  if (kind === 'plan_feature') return ids.has(`plan ${outer}`) && ids.has(`feature ${inner}`);
  if (kind === 'addon') return ids.has(`feature ${key}`);
  if (kind !== 'plan_order') return true;
  const { fields } = rest as { readonly fields: { readonly plans: readonly string[] } };
  return ids.has(`plan_group ${key}`) && fields.plans.every((code) => ids.has(`plan ${code}`));
}

type Impact = Awaited<ReturnType<Quittance['catalogImpact']['get']>>;
type CatalogChange = Parameters<Quittance['catalogImpact']['get']>[0]['change'];

/** Returns the change in the form of `POST /catalog-impact`. `null` if the change can't affect subscriptions. */
function impactOf(target: Target, change: Change): CatalogChange | null {
  const { kind, key } = change;
  const fields = change.change === 'update' ? change.fields : {};
  const isRemoval = change.change === 'remove';
  if (change.change === 'create') return null;
  if (kind === 'price') {
    const price = { planId: planOf(target, key), priceId: idOf(target, 'price', key) };
    if (isRemoval) return { priceArchive: price };
    return 'price' in fields ? { priceUpdate: { ...price, price: Number(fields['price']) } } : null;
  }
  if (kind === 'plan_feature') {
    const feature = { planId: planOf(target, key), featureId: featureOf(target, key) };
    return isRemoval ? { featureRemove: feature } : { featureUpdate: { ...feature, ...fields } };
  }
  if (kind === 'plan' && isRemoval) return { planDelete: { id: idOf(target, 'plan', key) } };
  return kind === 'addon' && 'basePrice' in fields
    ? { addonUpdate: { id: idOf(target, 'addon', key), basePrice: Number(fields['basePrice']) } }
    : null;
}

/** Reads the impact of a change on subscriptions. `null` if the change can't affect subscriptions. */
export async function readImpact(target: Target, change: Change): Promise<Impact | null> {
  const evaluated = impactOf(target, change);
  return evaluated === null ? null : target.client.catalogImpact.get({ change: evaluated });
}
