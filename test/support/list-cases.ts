// What the filters and sorts of lists mean, said once more in JavaScript over whole rows: what tests compare the lists with.

export type Row = Readonly<Record<string, unknown>>;

/** The tables of an environment, as far as filters lead to them. */
export type World = {
  readonly rows: readonly Row[];
  readonly customers: ReadonlyMap<string, Row>;
  readonly subscriptions: readonly Row[];
  readonly invoices: readonly Row[];
  readonly now: Date;
};

/** A member of a filter: values to try, and whether a row passes one of them. */
export type MemberCase = {
  readonly values: readonly unknown[];
  readonly passes: (row: Row, value: never, world: World) => boolean;
};

/** A list: the field, its table, its members, what search finds, and what rows are sorted by. */
export type ListCase = {
  readonly field: string;
  readonly table: string;
  /** The rows the field lists when nothing is asked for. */
  readonly lists?: (row: Row) => boolean;
  /** Over REST, where it has a route. */
  readonly route?: string;
  readonly members: Readonly<Record<string, MemberCase>>;
  readonly search?: {
    readonly texts: readonly string[];
    readonly finds: (row: Row, text: string, world: World) => boolean;
  };
  readonly sorts: Readonly<Record<string, (row: Row) => string | bigint | number>>;
};

const among = (column: string, ...values: readonly (readonly unknown[])[]): MemberCase => ({
  values,
  passes: (row, wanted: readonly unknown[]) => wanted.includes(row[column]),
});

const time = (value: unknown): number => (value as Date).getTime();

const within = (column: string): MemberCase => ({
  values: [
    { from: '2025-03-01T00:00:00.000Z', to: '2025-06-01T00:00:00.000Z' },
    { from: '2025-08-15T12:00:00.000Z' },
    { to: '2025-02-01T00:00:00.000Z' },
    { from: '2031-01-01T00:00:00.000Z' },
  ],
  passes: (row, { from, to }: { from?: string; to?: string }) => {
    const at = row[column];
    if (!(at instanceof Date)) return false;
    return (
      (from === undefined || at.getTime() >= Date.parse(from)) &&
      (to === undefined || at.getTime() < Date.parse(to))
    );
  },
});

const between = (column: string): MemberCase => ({
  values: [{ min: 500, max: 2500 }, { min: 4000 }, { max: 0 }],
  passes: (row, { min, max }: { min?: number; max?: number }) =>
    (min === undefined || Number(row[column]) >= min) && (max === undefined || Number(row[column]) <= max),
});

const flag = (holds: (row: Row, world: World) => boolean): MemberCase => ({
  values: [true, false],
  passes: (row, wanted: boolean, world) => holds(row, world) === wanted,
});

const subscriptionsOf = ({ id }: Row, { subscriptions }: World): Row[] =>
  subscriptions.filter(({ customerId }) => customerId === id);

const isOverdue = ({ status, dueDate }: Row, { now }: World): boolean =>
  status === 'outstanding' && time(dueDate) + 86_400_000 <= now.getTime();

/** Whether a customer has a text in one of the parts that are searched. */
const customerHas = (customer: Row | undefined, text: string): boolean =>
  ['fullName', 'email', 'externalId'].some((part) =>
    String(customer?.[part] ?? '')
      .toLowerCase()
      .includes(text.toLowerCase()),
  );

const searchTexts = ['ann', 'MEYER', 'ext_1', '100%', '%_s', 'émile', 'acme.test', 'nothing like it', 'a_b'];

const created = (row: Row): number => time(row['createdAt']);

export const listCases: readonly ListCase[] = [
  {
    field: 'customers',
    table: 'Customer',
    route: '/customers',
    members: {
      countries: among('country', ['DE'], ['US', 'JP'], ['FR']),
      createdAt: within('createdAt'),
      planIds: {
        values: [['pln_list1'], ['pln_list2', 'pln_list3'], ['pln_none']],
        passes: (row, ids: readonly string[], world) =>
          subscriptionsOf(row, world).some(({ planId }) => ids.includes(String(planId))),
      },
      subscriptionStatuses: {
        values: [['canceled'], ['active', 'trialing']],
        passes: (row, statuses: readonly string[], world) =>
          subscriptionsOf(row, world).some(({ status }) => statuses.includes(String(status))),
      },
      hasSubscription: flag((row, world) =>
        subscriptionsOf(row, world).some(({ status }) => status !== 'canceled'),
      ),
      isOverdue: flag((row, world) =>
        world.invoices.some((invoice) => invoice['customerId'] === row['id'] && isOverdue(invoice, world)),
      ),
    },
    search: { texts: searchTexts, finds: customerHas },
    sorts: {
      created_at: created,
      name: ({ fullName }) => String(fullName).toLowerCase(),
      email: ({ email }) => String(email).toLowerCase(),
    },
  },
  {
    field: 'invoices',
    table: 'Invoice',
    route: '/invoices',
    members: {
      statuses: among('status', ['void'], ['outstanding', 'draft'], ['paid', 'void']),
      types: among('type', ['overage'], ['recurring', 'adjustment']),
      customerIds: among('customerId', ['cus_list1'], ['cus_list2', 'cus_list3', 'cus_none']),
      subscriptionIds: among('subscriptionId', ['sub_list1', 'sub_list8']),
      currencies: among('currency', ['eur'], ['usd', 'brl']),
      total: between('total'),
      createdAt: within('createdAt'),
      issueDate: within('issueDate'),
      dueDate: within('dueDate'),
      paidAt: within('paidAt'),
      isOverdue: flag(isOverdue),
    },
    search: {
      texts: [...searchTexts, '123', 'INV-000117', 'inv-9999'],
      finds: (row, text, { customers }) => {
        const digits = /^(?:inv-)?(\d+)$/i.exec(text)?.[1];
        return (
          (digits !== undefined && BigInt(digits) === row['number']) ||
          customerHas(customers.get(String(row['customerId'])), text)
        );
      },
    },
    sorts: {
      created_at: created,
      issue_date: ({ issueDate }) => time(issueDate),
      due_date: ({ dueDate }) => time(dueDate),
      total: ({ total }) => total as bigint,
      number: ({ number }) => number as bigint,
    },
  },
];
