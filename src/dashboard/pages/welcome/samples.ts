import type { CodeSample } from '../../kit/code.tsx';

type Parts = {
  readonly api: string;
  readonly key: string;
  readonly planCode: string;
  readonly interval: string | null;
};

/** Returns sample code that creates a customer with a subscription. The code contains the reader's own IDs. */
export function sellingSamples({ api, key, planCode, interval }: Parts): CodeSample[] {
  const subscription = {
    customerId: 'ada',
    planCode,
    ...(interval === null ? {} : { billingInterval: interval }),
  };
  const customer = { email: 'ada@example.com', externalId: 'ada' };
  const indented = (value: object) => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
  const dictionary = (value: object) =>
    JSON.stringify(value).replaceAll('":"', '": "').replaceAll(',"', ', "');
  return [
    {
      id: 'curl',
      label: 'curl',
      code: `curl -s ${api}/customers -H 'x-api-key: ${key}' \\
  -d '${JSON.stringify(customer)}'
curl -s ${api}/subscriptions -H 'x-api-key: ${key}' \\
  -d '${JSON.stringify(subscription)}'`,
    },
    {
      id: 'node',
      label: 'Node',
      code: `const post = async (path, body) => {
  const response = await fetch('${api}' + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': '${key}' },
    body: JSON.stringify(body),
  });
  return response.json();
};

await post('/customers', ${indented(customer).replaceAll('\n  ', '\n')});
const subscription = await post('/subscriptions', ${indented(subscription).replaceAll('\n  ', '\n')});
console.log(subscription.checkoutUrl);`,
    },
    {
      id: 'python',
      label: 'Python',
      code: `import json, urllib.request

def post(path, body):
    request = urllib.request.Request(
        "${api}" + path,
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json", "x-api-key": "${key}"},
    )
    return json.load(urllib.request.urlopen(request))

post("/customers", ${dictionary(customer)})
subscription = post("/subscriptions", ${dictionary(subscription)})
print(subscription["checkoutUrl"])`,
    },
  ];
}
