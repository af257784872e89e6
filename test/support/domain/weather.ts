/** A year of hourly weather, as a weather station would have sent it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PointDocument } from '../../../src/domain/buildings/document.ts';

const FILE = fileURLToPath(new URL('../../fixtures/weather-2012.csv', import.meta.url));

/** In the order of the columns. */
export const weatherPoints = {
  TEMPERATURE: { unit: '°C', pointClass: 'Outside_Air_Temperature_Sensor' },
  DEW_POINT: { unit: '°C', pointClass: 'Outside_Air_Dewpoint_Sensor' },
  HUMIDITY: { unit: '%RH', pointClass: 'Outside_Air_Humidity_Sensor' },
  WIND: { unit: 'km/h', pointClass: 'Wind_Speed_Sensor' },
  VISIBILITY: { unit: 'km', pointClass: 'Visibility_Sensor' },
  PRESSURE: { unit: 'kPa', pointClass: 'Atmospheric_Pressure_Sensor' },
} as const satisfies Record<string, Partial<PointDocument>>;

export type WeatherPoint = keyof typeof weatherPoints;
export const weatherCodes = Object.keys(weatherPoints) as WeatherPoint[];

interface WeatherHour {
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly values: Readonly<Record<WeatherPoint, number>>;
}

export const weatherOf2012 = (): readonly WeatherHour[] =>
  readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [time, ...columns] = line.split(',');
      const values = weatherCodes.map((code, column) => [code, Number(columns[column])]);
      return {
        at: `${time!.replace(' ', 'T')}.000Z`,
        values: Object.fromEntries(values) as Record<WeatherPoint, number>,
      };
    });

/** When a value crossed a bound and returned, by comparing adjacent samples. */
export const crossings = (
  hours: readonly WeatherHour[],
  code: WeatherPoint,
  isBeyond: (value: number) => boolean,
): readonly { openedAt: string; closedAt: string | null; value: number }[] => {
  const beyond = hours.map(({ values }) => isBeyond(values[code]));
  return hours.flatMap(({ at, values }, index) => {
    if (!beyond[index] || beyond[index - 1]) return [];
    const back = beyond.indexOf(false, index);
    return [{ openedAt: at, closedAt: back < 0 ? null : hours[back]!.at, value: values[code] }];
  });
};
