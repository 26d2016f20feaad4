/**
 * Splits an ICU argument such as `count, plural, one {# plan} other {# plans}` into its forms. Returns an empty list for an argument without forms.
 */
function formsOf(argument: string): string[] {
  const forms: string[] = [];
  let [depth, start] = [0, 0];
  for (let index = 0; index < argument.length; index++) {
    if (argument[index] === '{' && depth++ === 0) start = index + 1;
    else if (argument[index] === '}' && --depth === 0) forms.push(argument.slice(start, index));
  }
  return forms;
}

/** Returns the possible texts of an ICU MessageFormat message: one for each form of its first choice. Chosen values appear as `{chosen}`. */
export function textsOfMessage(message: string, isPlural = false): string[] {
  const begin = message.search(/\{\w+, (?:plural|selectordinal|select),/);
  if (begin === -1)
    return [
      message
        .replace(/\{(\w+), number[^}]*\}/g, isPlural ? '{chosen_$1}' : '{$1}')
        .replace(/\{(\w+), \w+[^}]*\}/g, '{$1}')
        .replaceAll('#', isPlural ? '{chosen}' : '#'),
    ];
  let [depth, end] = [0, begin];
  do {
    if (message[end] === '{') depth++;
    if (message[end] === '}') depth--;
    end++;
  } while (depth > 0 && end < message.length);
  return formsOf(message.slice(begin + 1, end - 1)).flatMap((form) =>
    textsOfMessage(`${message.slice(0, begin)}${form}${message.slice(end)}`, true),
  );
}
