/**
 * The source that rate limits of reports count by: an IPv4 address, or the /64 of an IPv6 address,
 * because a single subscriber has that many. IPv6 forms of an IPv4 address are that address.
 *
 * @param address From the listener or a trusted proxy; any text that is no address is one source.
 */
export const sourceNetwork = (address: string): string => {
  const plain = address.split('%', 1)[0]!.toLowerCase();
  if (IPV4.test(plain)) return plain;
  const groups = groupsOf(plain);
  if (groups === null) return 'unknown';
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [groups[6]!, groups[7]!].flatMap((two) => [two >> 8, two & 255]).join('.');
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
};

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** The eight groups of an IPv6 address; `null`: it is none. */
const groupsOf = (text: string): readonly number[] | null => {
  const halves = hexOnly(text).split('::');
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const left = 8 - head.length - tail.length;
  const isWhole = halves.length === 1 && left === 0;
  if (!isWhole && (halves.length !== 2 || left < 1)) return null;
  const groups = [...head, ...Array.from({ length: left }, () => '0'), ...tail];
  if (!groups.every((group) => /^[\da-f]{1,4}$/.test(group))) return null;
  return groups.map((group) => Number.parseInt(group, 16));
};

/** With an IPv4 address at its end as two groups. */
const hexOnly = (text: string): string =>
  text.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...parts: string[]) => {
    const [a, b, c, d] = parts.slice(0, 4).map(Number) as [number, number, number, number];
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
