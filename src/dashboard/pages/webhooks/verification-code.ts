import type { CodeSample } from '../../kit/code.tsx';

/** Returns code that verifies webhooks with the libraries of the Standard Webhooks specification. */
export const verificationCode = (secret: string): CodeSample[] => [
  {
    id: 'node',
    label: 'Node.js',
    code: `import { Webhook } from 'standardwebhooks'; // npm install standardwebhooks

const webhook = new Webhook('${secret}');

// body: the text of the request as it arrived
const event = webhook.verify(body, request.headers);`,
  },
  {
    id: 'python',
    label: 'Python',
    code: `from standardwebhooks import Webhook  # pip install standardwebhooks

webhook = Webhook("${secret}")

# body: the text of the request as it arrived
event = webhook.verify(body, headers)`,
  },
  {
    id: 'php',
    label: 'PHP',
    code: `// composer require standard-webhooks/standard-webhooks
$webhook = new \\StandardWebhooks\\Webhook('${secret}');

// $body: the text of the request as it arrived
$event = $webhook->verify($body, $headers);`,
  },
  {
    id: 'ruby',
    label: 'Ruby',
    code: `require "standardwebhooks" # gem install standardwebhooks

webhook = StandardWebhooks::Webhook.new("${secret}")

# body: the text of the request as it arrived
event = webhook.verify(body, headers)`,
  },
  {
    id: 'go',
    label: 'Go',
    code: `import standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

webhook, err := standardwebhooks.NewWebhook("${secret}")

// body: the bytes of the request as they arrived
err = webhook.Verify(body, request.Header)`,
  },
];
