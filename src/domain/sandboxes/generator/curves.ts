/**
 * What a point tells at a moment: the physics of a building in one line a class, plausible rather
 * than exact. A value depends on the seed, the point and the time alone, so that every sample can
 * be made without those before it, and two sandboxes of one seed tell the same.
 */
import { DAY_MS } from '../../../engine/time/calendar.ts';
import { clamp, HOUR_MS, isWorkday, weekdayOf, type Moment } from './climate.ts';
import { isBroken } from './faults.ts';
import type { PointModel } from './points.ts';
import { chanceAt, noiseAt } from './random.ts';

/** What the point tells at each moment; `null`: no sample. A yes is 1, a no is 0. */
export const curveOf = (point: PointModel): ((moment: Moment) => number | null) => {
  const { hash, elementHash, isBoolean, pointClass } = point;
  const curve = curves[pointClass] ?? steady;

  return (moment) => {
    // Every meter misses one now and then.
    if (chanceAt(hash, moment.atMs / MINUTE_MS) < 0.003) return null;
    const isWrong = sensors.has(pointClass) && isBroken(elementHash, moment.atMs);
    if (isWrong && pointClass === CO2) return null;
    const drift = noiseAt(hash, moment.atMs / HOUR_MS);
    const value = curve(point, moment, drift);
    if (isBoolean) return value > 0.5 ? 1 : 0;
    // A sensor that drifts tells more and more, and is set right again after three days.
    const shift = isWrong ? (0.05 * (moment.atMs % (3 * DAY_MS))) / HOUR_MS : 0;
    return Math.round((value + shift) * 100) / 100;
  };
};

const CO2 = 'Zone_CO2_Level_Sensor';

/** Of a broken room sensor, the temperature drifts and carbon dioxide is silent. */
const sensors = new Set(['Zone_Air_Temperature_Sensor', CO2]);

const MINUTE_MS = 60_000;

type Curve = (point: PointModel, moment: Moment, drift: number) => number;

const steady: Curve = (_, __, drift) => 20 + drift;

const isOpen = ({ occupancy }: Moment): boolean => occupancy > 0.05;

const setpoint = (moment: Moment): number => (isOpen(moment) ? 22.5 : 20);

/** What a room adds by its place: some lie in the sun, some in the middle. */
const facade = ({ elementHash }: PointModel): number => chanceAt(elementHash, 1);

/** The fan of the air handling unit runs; one that is broken runs at night as well. */
const fanRuns = ({ fanHash }: PointModel, moment: Moment): boolean =>
  isOpen(moment) || isBroken(fanHash, moment.atMs);

/** How busy the building is to a fan: one that runs at night takes it for day. */
const fanOccupancy = (moment: Moment): number =>
  isOpen(moment) ? moment.occupancy : Math.max(moment.occupancy, 0.3);

/** What the room would be with the damper where the controller wants it. */
const controlledC: Curve = (point, moment, drift) =>
  (isOpen(moment) ? 21.9 : 20.2) +
  0.9 * moment.breathed +
  0.03 * facade(point) * (moment.outsideC - 20) +
  0.002 * facade(point) * moment.sun +
  0.25 * drift;

/** The damper position that the controller wants, in percent. */
const wantedDamper: Curve = (point, moment, drift) =>
  fanRuns(point, moment)
    ? clamp(20 + 65 * (controlledC(point, moment, drift) - setpoint(moment) + 0.3), 10, 100)
    : 10;

const isStuckOpen = ({ boxHash }: PointModel, { atMs }: Moment): boolean =>
  boxHash !== null && isBroken(boxHash, atMs);

const damper: Curve = (point, moment, drift) =>
  isStuckOpen(point, moment) ? 100 : wantedDamper(point, moment, drift);

/** Supply air beyond what the controller wants: 0 to 0.9 of a wide open damper. */
const excessAir: Curve = (point, moment, drift) =>
  fanRuns(point, moment)
    ? (damper(point, moment, drift) - wantedDamper(point, moment, drift)) / 100
    : 0;

/** A fan that runs in an empty building cools it as well. */
const nightAir = (point: PointModel, moment: Moment): number =>
  !isOpen(moment) && fanRuns(point, moment) ? 1 : 0;

const roomC: Curve = (point, moment, drift) =>
  controlledC(point, moment, drift) -
  3 * excessAir(point, moment, drift) -
  0.8 * nightAir(point, moment);

const heating: Curve = (_, { outsideC, occupancy }) =>
  clamp((15 - outsideC) * 5, 0, 100) * (0.5 + 0.5 * Math.min(1, occupancy * 4));

/** Of the coil of an air volume box: it warms what is too much air for the room. */
const reheat: Curve = (point, moment, drift) =>
  clamp(heating(point, moment, drift) + 60 * excessAir(point, moment, drift), 0, 100);

const cooling: Curve = (_, { outsideC, occupancy }) =>
  clamp((outsideC - 14) * 7, 0, 100) * (0.3 + 0.7 * occupancy);

/** L/s at a wide open damper. */
const designFlow = ({ areaSqm }: PointModel): number => 1.5 * areaSqm;

/** L/s into the room. */
const supplyFlow: Curve = (point, moment, drift) =>
  fanRuns(point, moment) ? (designFlow(point) * damper(point, moment, drift)) / 100 : 0;

const fan: Curve = (point, moment, drift) =>
  fanRuns(point, moment) ? 45 + 45 * fanOccupancy(moment) + 2 * drift : 0;

const supplySetpointC = ({ outsideC }: Moment): number => 13 + clamp((18 - outsideC) * 0.3, 0, 4);

/** A coil in air that stands still has the temperature of the plant room. */
const STILL_AIR_C = 21;

/** Of a coil or a damper of the air side: shut while the fan is off. */
const whileFanRuns =
  (curve: Curve): Curve =>
  (point, moment, drift) =>
    fanRuns(point, moment) ? curve(point, moment, drift) : 0;

/** kW of electricity without what only people cause. */
const basePower = ({ areaSqm }: PointModel): number => 0.004 * areaSqm;

/** kW that a full room adds to it. */
const peoplePower = ({ areaSqm }: PointModel): number => 0.02 * areaSqm;

const power: Curve = (point, { occupancy }) =>
  basePower(point) + (peoplePower(point) * Math.round(occupancy * 1_000)) / 1_000;

/**
 * A register that never runs backwards: whole days by their number, and within a day by a fixed
 * form that adds up to the day's energy.
 */
const register =
  (perWorkday: (point: PointModel) => number, perOtherDay: (point: PointModel) => number): Curve =>
  (point, { atMs }) => {
    const day = Math.floor(atMs / DAY_MS) - REGISTERS_BEGIN_DAY;
    const weeks = Math.floor(day / 7);
    const rest = day - 7 * weeks;
    const workdays = 5 * weeks + Math.min(rest, 5);
    const others = 2 * weeks + Math.max(0, rest - 5);
    const isWork = isWorkday(weekdayOf(Math.floor(atMs / DAY_MS)));
    const today = isWork ? perWorkday(point) : perOtherDay(point);
    const part = (atMs % DAY_MS) / DAY_MS;
    // Slow at night, fast by day, and never back.
    const used = part - Math.sin(2 * Math.PI * part) / (2 * Math.PI);
    return workdays * perWorkday(point) + others * perOtherDay(point) + today * used;
  };

/** A Monday. */
const REGISTERS_BEGIN_DAY = Math.floor(Date.UTC(2024, 0, 1) / DAY_MS);

const energy = register(
  (point) => 24 * basePower(point) + 9 * peoplePower(point),
  (point) => 24 * basePower(point) + peoplePower(point),
);

/** By class, as `equipment.ts` names them. */
const curves: Readonly<Record<string, Curve | undefined>> = {
  Zone_Air_Temperature_Sensor: roomC,
  [CO2]: (point, moment, drift) =>
    420 +
    520 *
      clamp(0.6 + facade(point), 0, 1.5) *
      moment.breathed *
      (1 - 0.6 * excessAir(point, moment, drift)) *
      (1 - 0.8 * nightAir(point, moment)) +
    15 * drift,
  Zone_Air_Humidity_Sensor: (_, { outsideC, breathed }, drift) =>
    clamp(45 + 0.4 * (outsideC - 9) + 3 * breathed + 2 * drift, 15, 90),
  Occupancy_Count_Sensor: ({ capacity }, { occupancy }, drift) =>
    Math.max(0, Math.round(capacity * occupancy * (1 + 0.4 * drift))),
  Occupancy_Status: (_, moment) => (isOpen(moment) ? 1 : 0),
  Zone_Air_Temperature_Setpoint: (_, moment) => setpoint(moment),
  Damper_Position_Command: damper,
  Supply_Air_Flow_Sensor: (point, moment, drift) =>
    supplyFlow(point, moment, drift) * (1 + 0.02 * drift),
  Supply_Air_Flow_Setpoint: whileFanRuns(
    (point, moment, drift) => (designFlow(point) * wantedDamper(point, moment, drift)) / 100,
  ),
  Valve_Position_Command: whileFanRuns(reheat),
  Discharge_Air_Temperature_Sensor: (point, moment, drift) =>
    fanRuns(point, moment)
      ? 13 + 0.12 * reheat(point, moment, drift) + 0.3 * drift
      : roomC(point, moment, drift),
  Supply_Air_Temperature_Sensor: (point, moment, drift) =>
    (fanRuns(point, moment) ? supplySetpointC(moment) : STILL_AIR_C) + 0.3 * drift,
  Supply_Air_Temperature_Setpoint: (_, moment) => supplySetpointC(moment),
  Return_Air_Temperature_Sensor: (_, { breathed }, drift) => 21.5 + breathed + 0.3 * drift,
  Mixed_Air_Temperature_Sensor: (point, moment, drift) =>
    (fanRuns(point, moment) ? 0.7 * 22 + 0.3 * moment.outsideC : STILL_AIR_C) + 0.4 * drift,
  Outside_Air_Temperature_Sensor: (_, { outsideC }, drift) => outsideC + 0.2 * drift,
  Supply_Air_Static_Pressure_Sensor: whileFanRuns((_, __, drift) => 250 + 12 * drift),
  Supply_Air_Static_Pressure_Setpoint: whileFanRuns(() => 250),
  Fan_Speed_Command: fan,
  Fan_On_Off_Status: whileFanRuns(() => 1),
  Fan_Electric_Power_Sensor: (point, moment, drift) => {
    const speed = fan(point, moment, drift) / 100;
    return 0.008 * point.areaSqm * speed * speed * Math.sqrt(speed);
  },
  Outside_Damper_Position_Command: whileFanRuns((_, moment) => 25 + 40 * fanOccupancy(moment)),
  Cooling_Valve_Position_Command: whileFanRuns(cooling),
  Heating_Valve_Position_Command: whileFanRuns(heating),
  // A filter fills up over three months.
  Filter_Differential_Pressure_Sensor: whileFanRuns(
    ({ elementHash }, { atMs }, drift) =>
      80 + 170 * ((atMs / (90 * DAY_MS) + chanceAt(elementHash, 2)) % 1) + 4 * drift,
  ),
  Return_Air_Humidity_Sensor: (_, { outsideC, breathed }, drift) =>
    clamp(44 + 0.4 * (outsideC - 9) + 2 * breathed + drift, 15, 90),
  Unit_Failure_Alarm: () => 0,
  On_Off_Status: (_, moment) => (isOpen(moment) ? 1 : 0),
  Lighting_Power_Sensor: ({ areaSqm }, { occupancy, sun }) =>
    0.007 * areaSqm * occupancy * clamp(1.1 - sun / 1_000, 0.4, 1),
  Illuminance_Sensor: (point, moment, drift) =>
    (isOpen(moment) ? 420 : 0) + 0.6 * facade(point) * moment.sun + 15 * Math.abs(drift),
  Active_Power_Sensor: power,
  Electric_Energy_Sensor: energy,
  Water_Flow_Sensor: ({ areaSqm }, { occupancy }, drift) =>
    Math.max(0, 0.0006 * areaSqm * occupancy * (1 + 0.5 * drift)),
  Water_Volume_Sensor: register(
    ({ areaSqm }) => 0.005 * areaSqm,
    ({ areaSqm }) => 0.0005 * areaSqm,
  ),
  Entering_Chilled_Water_Temperature_Sensor: (point, moment, drift) =>
    7 + 0.05 * cooling(point, moment, drift) + 0.2 * drift,
  Leaving_Chilled_Water_Temperature_Sensor: (_, __, drift) => 6.5 + 0.2 * drift,
  Chiller_Electric_Power_Sensor: (point, moment, drift) =>
    0.0002 * point.areaSqm * cooling(point, moment, drift),
  Chilled_Water_Flow_Sensor: (point, moment, drift) =>
    0.00005 * point.areaSqm * cooling(point, moment, drift),
  Chiller_On_Off_Status: (point, moment, drift) => (cooling(point, moment, drift) > 5 ? 1 : 0),
  Pump_Speed_Command: (point, moment, drift) => {
    const wanted = cooling(point, moment, drift);
    return wanted > 5 ? clamp(30 + 0.6 * wanted + drift, 0, 100) : 0;
  },
  Pump_Electric_Power_Sensor: (point, moment, drift) =>
    0.00001 * point.areaSqm * cooling(point, moment, drift),
  Pump_On_Off_Status: (point, moment, drift) => (cooling(point, moment, drift) > 5 ? 1 : 0),
  Hot_Water_Supply_Temperature_Sensor: (point, moment, drift) =>
    40 + 0.3 * heating(point, moment, drift) + 0.5 * drift,
  Hot_Water_Return_Temperature_Sensor: (point, moment, drift) =>
    35 + 0.15 * heating(point, moment, drift) + 0.5 * drift,
  Natural_Gas_Flow_Sensor: (point, moment, drift) =>
    0.00004 * point.areaSqm * heating(point, moment, drift),
  Boiler_On_Off_Status: (point, moment, drift) => (heating(point, moment, drift) > 3 ? 1 : 0),
  Elevator_Trip_Count: ({ hash }, { atMs, occupancy }) =>
    Math.round(occupancy * (4 + 10 * chanceAt(hash, atMs / 300_000))),
  Motor_Temperature_Sensor: (_, { breathed }, drift) => 28 + 14 * breathed + drift,
  Door_Fault_Status: () => 0,
  Outside_Air_Humidity_Sensor: (_, { outsideRh }) => outsideRh,
  Solar_Irradiance_Sensor: (_, { sun }) => sun,
  Wind_Speed_Sensor: (_, { wind }) => wind,
};
