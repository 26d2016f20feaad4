import type { CallOptions, TestApp } from '../../../support/harness.ts';

// GraphQL operations shared by the plan group tests.

const groupFields =
  'id name description isPublic createdAt updatedAt plans { id code sortOrder planGroupId } object livemode';

export const operations = {
  create: `mutation ($input: PlanGroupCreateInput!) { planGroupCreate(input: $input) { ${groupFields} } }`,
  update: `mutation ($input: PlanGroupUpdateInput!) { planGroupUpdate(input: $input) { ${groupFields} } }`,
  remove:
    'mutation ($id: ID!) { planGroupDelete(input: { id: $id }) { id: deletedId deleted object livemode } }',
  get: `query ($id: ID!) { planGroup(id: $id) { ${groupFields} } }`,
  add: `mutation ($input: PlanGroupPlanAddInput!) { planGroupPlanAdd(input: $input) { success object livemode planGroup { id plans { id } } } }`,
  take: `mutation ($input: PlanGroupPlanRemoveInput!) {
    planGroupPlanRemove(input: $input) { id: planId removed object livemode planGroup { id plans { id } } } }`,
  reorder: `mutation ($input: PlanGroupReorderInput!) {
    planGroupReorder(input: $input) { reordered object livemode planGroup { id plans { code sortOrder } } } }`,
  createPlan:
    'mutation ($input: PlanCreateInput!) { planCreate(input: $input) { id code sortOrder planGroupId updatedAt } }',
  deletePlan: 'mutation ($id: ID!) { planDelete(input: { id: $id }) { deletedId } }',
  getPlan: 'query ($id: ID!) { plan(id: $id) { sortOrder planGroupId updatedAt planGroup { id name } } }',
} as const;

export type Group = {
  readonly id: string;
  readonly plans: readonly { readonly id: string; readonly code: string; readonly sortOrder: number }[];
};
export type Plan = {
  readonly id: string;
  readonly code: string;
  readonly sortOrder: number;
  readonly planGroupId: string | null;
};

/** Returns functions that run the operations against an application. */
export const planGroupScene = (t: TestApp) => {
  const group = async (input: object = {}, options: CallOptions = {}): Promise<Group> =>
    (
      await t.graphql<{ planGroupCreate: Group }>(
        operations.create,
        { input: { name: 'Teams', ...input } },
        options,
      )
    ).planGroupCreate;
  const plan = async (code: string, input: object = {}, options: CallOptions = {}): Promise<Plan> =>
    (
      await t.graphql<{ planCreate: Plan }>(
        operations.createPlan,
        { input: { code, name: `Plan ${code}`, ...input } },
        options,
      )
    ).planCreate;
  const add = (id: string, planId: string, sortOrder?: number) =>
    t.graphql(operations.add, {
      input: { planGroupId: id, planId, ...(sortOrder === undefined ? {} : { sortOrder }) },
    });
  /** Returns the codes and ranks of a group's plans in order. */
  const ranks = async (id: string): Promise<[string, number][]> => {
    const { planGroup } = await t.graphql<{ planGroup: Group }>(operations.get, { id });
    return planGroup.plans.map(({ code, sortOrder }) => [code, sortOrder]);
  };
  return { group, plan, add, ranks };
};
