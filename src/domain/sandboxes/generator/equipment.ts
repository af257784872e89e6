/** Equipment of a building and its measurements: Brick classes, SI units where they fit. */

/** `[suffix of the code, name, Brick class, unit]`; boolean without a unit. */
export type Reading = readonly [
  suffix: string,
  name: string,
  pointClass: string,
  unit?: string | undefined,
];

export interface EquipmentKind {
  readonly slug: string;
  /** Prefix of the number in its code. */
  readonly code: string;
  readonly name: string;
  readonly points: readonly Reading[];
}

const power: readonly Reading[] = [
  ['KW', 'Active power', 'Active_Power_Sensor', 'kW'],
  ['KWH', 'Energy', 'Electric_Energy_Sensor', 'kWh'],
];
const temperature: Reading = ['T', 'Room temperature', 'Zone_Air_Temperature_Sensor', '°C'];
const carbonDioxide: Reading = ['CO2', 'Carbon dioxide', 'Zone_CO2_Level_Sensor', 'ppm'];

export const equipment = {
  simpleSensor: {
    slug: 'sensor',
    code: 'RS',
    name: 'Room sensor',
    points: [temperature, carbonDioxide],
  },
  sensor: {
    slug: 'sensor',
    code: 'RS',
    name: 'Room sensor',
    points: [
      temperature,
      carbonDioxide,
      ['RH', 'Relative humidity', 'Zone_Air_Humidity_Sensor', '%RH'],
      ['OCC', 'People', 'Occupancy_Count_Sensor', '1'],
    ],
  },
  vav: {
    slug: 'vav',
    code: 'VAV',
    name: 'Air volume box',
    points: [
      ['SP', 'Temperature setpoint', 'Zone_Air_Temperature_Setpoint', '°C'],
      ['OCC', 'Occupied', 'Occupancy_Status'],
      ['FLOW', 'Supply air flow', 'Supply_Air_Flow_Sensor', 'L/s'],
      ['FSP', 'Supply air flow setpoint', 'Supply_Air_Flow_Setpoint', 'L/s'],
      ['DMP', 'Damper position', 'Damper_Position_Command', '%'],
      ['VLV', 'Reheat valve position', 'Valve_Position_Command', '%'],
      ['DAT', 'Discharge air temperature', 'Discharge_Air_Temperature_Sensor', '°C'],
    ],
  },
  ahu: {
    slug: 'ahu',
    code: 'AHU',
    name: 'Air handling unit',
    points: [
      ['SAT', 'Supply air temperature', 'Supply_Air_Temperature_Sensor', '°C'],
      ['SATSP', 'Supply air temperature setpoint', 'Supply_Air_Temperature_Setpoint', '°C'],
      ['RAT', 'Return air temperature', 'Return_Air_Temperature_Sensor', '°C'],
      ['MAT', 'Mixed air temperature', 'Mixed_Air_Temperature_Sensor', '°C'],
      ['OAT', 'Outside air temperature', 'Outside_Air_Temperature_Sensor', '°C'],
      ['DSP', 'Duct static pressure', 'Supply_Air_Static_Pressure_Sensor', 'Pa'],
      ['DSPSP', 'Duct static pressure setpoint', 'Supply_Air_Static_Pressure_Setpoint', 'Pa'],
      ['FAN', 'Fan speed', 'Fan_Speed_Command', '%'],
      ['RUN', 'Fan running', 'Fan_On_Off_Status'],
      ['FKW', 'Fan power', 'Fan_Electric_Power_Sensor', 'kW'],
      ['OAD', 'Outside air damper position', 'Outside_Damper_Position_Command', '%'],
      ['CLV', 'Cooling valve position', 'Cooling_Valve_Position_Command', '%'],
      ['HTV', 'Heating valve position', 'Heating_Valve_Position_Command', '%'],
      ['FDP', 'Filter differential pressure', 'Filter_Differential_Pressure_Sensor', 'Pa'],
      ['RRH', 'Return air humidity', 'Return_Air_Humidity_Sensor', '%RH'],
      ['ALM', 'Unit alarm', 'Unit_Failure_Alarm'],
    ],
  },
  lighting: {
    slug: 'lighting',
    code: 'LT',
    name: 'Lighting',
    points: [
      ['ON', 'Lights on', 'On_Off_Status'],
      ['KW', 'Lighting power', 'Lighting_Power_Sensor', 'kW'],
      ['LUX', 'Illuminance', 'Illuminance_Sensor', 'lx'],
    ],
  },
  meter: { slug: 'electrical-meter', code: 'EM', name: 'Electricity meter', points: power },
  waterMeter: {
    slug: 'water-meter',
    code: 'WM',
    name: 'Water meter',
    points: [
      ['M3H', 'Water flow', 'Water_Flow_Sensor', 'm³/h'],
      ['M3', 'Water volume', 'Water_Volume_Sensor', 'm³'],
    ],
  },
  chiller: {
    slug: 'chiller',
    code: 'CH',
    name: 'Chiller',
    points: [
      ['EWT', 'Entering water temperature', 'Entering_Chilled_Water_Temperature_Sensor', '°C'],
      ['LWT', 'Leaving water temperature', 'Leaving_Chilled_Water_Temperature_Sensor', '°C'],
      ['KW', 'Chiller power', 'Chiller_Electric_Power_Sensor', 'kW'],
      ['FLOW', 'Chilled water flow', 'Chilled_Water_Flow_Sensor', 'L/s'],
      ['RUN', 'Chiller running', 'Chiller_On_Off_Status'],
      ['ALM', 'Chiller fault', 'Unit_Failure_Alarm'],
    ],
  },
  pump: {
    slug: 'pump',
    code: 'P',
    name: 'Chilled water pump',
    points: [
      ['SPD', 'Pump speed', 'Pump_Speed_Command', '%'],
      ['KW', 'Pump power', 'Pump_Electric_Power_Sensor', 'kW'],
      ['RUN', 'Pump running', 'Pump_On_Off_Status'],
    ],
  },
  boiler: {
    slug: 'boiler',
    code: 'B',
    name: 'Boiler',
    points: [
      ['SWT', 'Supply water temperature', 'Hot_Water_Supply_Temperature_Sensor', '°C'],
      ['RWT', 'Return water temperature', 'Hot_Water_Return_Temperature_Sensor', '°C'],
      ['GAS', 'Gas flow', 'Natural_Gas_Flow_Sensor', 'm³/h'],
      ['RUN', 'Boiler running', 'Boiler_On_Off_Status'],
    ],
  },
  elevator: {
    slug: 'elevator',
    code: 'LIFT',
    name: 'Lift',
    points: [
      ['TRIPS', 'Trips in the interval', 'Elevator_Trip_Count', '1'],
      ['MT', 'Motor temperature', 'Motor_Temperature_Sensor', '°C'],
      ['DOOR', 'Door fault', 'Door_Fault_Status'],
    ],
  },
  weather: {
    slug: 'weather-station',
    code: 'WX',
    name: 'Weather station',
    points: [
      ['OAT', 'Outside air temperature', 'Outside_Air_Temperature_Sensor', '°C'],
      ['RH', 'Outside air humidity', 'Outside_Air_Humidity_Sensor', '%RH'],
      ['SUN', 'Solar irradiance', 'Solar_Irradiance_Sensor', 'W/m²'],
      ['WIND', 'Wind speed', 'Wind_Speed_Sensor', 'm/s'],
    ],
  },
} as const satisfies Record<string, EquipmentKind>;
